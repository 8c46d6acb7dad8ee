"""The REST surface, address by address. tests/surfaces holds the table that says who may call each."""

from django.urls import path, re_path

from apps.api import docs
from apps.api.views import about, access, bundles, clients, grants, memories, receipts, turns

urlpatterns = [
    path("openapi.json", docs.OpenApi.as_view(), name="openapi"),
    path("docs", docs.page, name="api-docs"),
    path("problems/<str:code>", about.ProblemType.as_view()),
    path("me", about.Me.as_view()),
    path("subjects", about.Subjects.as_view()),
    path("access-requests", access.AccessRequests.as_view()),
    path("access-requests/<str:access_request>", access.OneAccessRequest.as_view()),
    path("access-requests/<str:access_request>/cancel", access.AccessRequestCancel.as_view()),
    path("access-requests/<str:access_request>/decision", access.AccessRequestDecision.as_view()),
    path("reads", access.Reads.as_view()),
    path("receipts", receipts.Receipts.as_view()),
    path("receipts/verify", receipts.ReceiptsVerify.as_view()),
    path("receipts/<str:receipt>", receipts.OneReceipt.as_view()),
    path("receipts/<str:receipt>/file", receipts.ReceiptFile.as_view()),
    path("ledger/bundle", bundles.LedgerBundle.as_view()),
    path("memories", memories.Memories.as_view()),
    path("memories/show", memories.MemoriesShow.as_view()),
    path("memories/<str:memory>", memories.OneMemory.as_view()),
    path("memories/<str:memory>/history", memories.MemoryHistory.as_view()),
    path("proposals", memories.Proposals.as_view()),
    path("proposals/<str:proposal>/decision", memories.ProposalDecision.as_view()),
    path("turns", turns.Turns.as_view()),
    path("turns/file", turns.TurnsFile.as_view()),
    path("turns/<str:turn>", turns.OneTurn.as_view()),
    path("turns/<str:turn>/file", turns.TurnFile.as_view()),
    path("turns/<str:turn>/decision", turns.TurnDecision.as_view()),
    path("turns/<str:turn>/without", turns.TurnWithout.as_view()),
    path("turns/<str:turn>/stream", turns.TurnStream.as_view()),
    path("clients", clients.Clients.as_view()),
    path("clients/<str:client>/revoke", clients.ClientRevoke.as_view()),
    path("clients/<str:client>/pause", clients.ClientPause.as_view()),
    path("clients/<str:client>/resume", clients.ClientResume.as_view()),
    path("clients/<str:client>/keys", clients.ClientKeys.as_view()),
    path("keys/<str:key>/revoke", clients.KeyRevoke.as_view()),
    path("grants", grants.Grants.as_view()),
    path("grants/<str:grant>", grants.OneGrant.as_view()),
    path("grants/<str:grant>/revoke", grants.GrantRevoke.as_view()),
    re_path(r"", about.Nothing.as_view()),
]
