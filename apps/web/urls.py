"""The pages. Each has an address, works without script, and writes by POST and redirect only."""

from django.urls import path

from apps.web import converters
from apps.web.views import (
    bundles,
    chat,
    file,
    grants,
    health,
    help,
    home,
    inbox,
    ledger,
    live,
    memory,
    requests,
    verify,
    you,
)

converters.register()

app_name = "web"
urlpatterns = [
    path("", home.home, name="home"),
    path("chat", chat.ask, name="ask"),
    path("chat/<trn:turn_id>", chat.turn, name="turn"),
    path("chat/<trn:turn_id>/decide", chat.decide, name="decide"),
    path("chat/<trn:turn_id>/answer", chat.answer, name="answer"),
    path("chat/<trn:turn_id>/without", chat.without, name="without"),
    path("inbox", inbox.inbox, name="inbox"),
    path("inbox/show", inbox.show, name="inbox-show"),
    path("inbox/<prp:proposal_id>/approve", inbox.approve, name="approve"),
    path("inbox/<prp:proposal_id>/reject", inbox.reject, name="reject"),
    path("requests/<req:request_id>", requests.request, name="request"),
    path("requests/<req:request_id>/decide", requests.decide, name="request-decide"),
    path("ledger", ledger.ledger, name="ledger"),
    path("ledger.csv", ledger.download, name="ledger-csv"),
    path("ledger.bundle.jsonl", bundles.download, name="ledger-bundle"),
    path("ledger/live", live.lines, name="ledger-live"),
    path("receipts/<rcp:seq>", ledger.receipt, name="receipt"),
    path("receipts/<rcp:seq>.receipt.json", ledger.receipt_file, name="receipt-file"),
    path("verify", verify.verify, name="verify"),
    path("verify.html", verify.saved, name="verify-saved"),
    path("verify/muniment.pyz", verify.program, name="verify-program"),
    path("file", file.file, name="file"),
    path("file/add", file.add, name="file-add"),
    path("file/show", file.show, name="file-show"),
    path("file/<mem:memory_id>", memory.memory, name="memory"),
    path("file/<mem:memory_id>/correct", memory.correct, name="memory-correct"),
    path("file/<mem:memory_id>/put-away", memory.put_away, name="memory-put-away"),
    path("file/<mem:memory_id>/put-back", memory.put_back, name="memory-put-back"),
    path("grants", grants.grants, name="grants"),
    path("grants/register", grants.register, name="register"),
    path("grants/key", grants.key, name="key"),
    path("grants/<gra:grant_id>/stop", grants.stop_grant, name="grant-stop"),
    path("grants/<cli:client_id>/key", grants.make_key, name="key-make"),
    path("grants/<cli:client_id>/pause", grants.pause, name="client-pause"),
    path("grants/<cli:client_id>/stop", grants.stop_client, name="client-stop"),
    path("grants/keys/<key:key_id>/end", grants.end_key, name="key-end"),
    path("you", you.you, name="you"),
    path("you/sessions/end", you.end_session, name="session-end"),
    path("help/what-we-cannot-do", help.limits, name="limits"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
]
