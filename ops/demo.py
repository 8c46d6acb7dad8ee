"""``make demo``: the main job in the terminal, on a running instance's servers or on freshly started ones."""

from __future__ import annotations

import os
import sys

from ops.accounts import Account
from ops.background import use
from ops.prepare import Prepare
from ops.run import FIRST_PORT, demo_step, say
from ops.servers import Servers
from ops.state import CHECKOUT, Lock
from ops.supervisor import Interrupted, Supervisor


def demo(servers: Servers) -> int:  # noqa: RET503 - the last line replaces this process
    """Have the database ready, then become ``manage.py demo``. Its exit status is the answer."""
    users = use(servers)
    port = servers.state.status().get("port")
    port = port if isinstance(port, int) else FIRST_PORT
    prepare = Prepare(servers, port)
    alone = Lock(servers.state.root / "prepare.lock")
    alone.take(wait=True)
    if prepare.needed():
        say("Preparing the database and the demo …")
        boss = Supervisor(servers.state.log, say)
        try:
            prepare.migrate(boss)
            if held := prepare.guard(boss):
                say(held)
                return 1
            boss.finish(prepare.seed(boss))
            prepare.done()
        except Interrupted:
            return 130
        finally:
            boss.stop()
    alone.release()
    step = demo_step(servers, port)
    users.keep_over_exec()
    os.chdir(CHECKOUT)
    become(servers.services)
    os.execve(sys.executable, [str(word) for word in step.argv], dict(step.env))  # noqa: S606


def become(account: Account) -> None:
    """Give up root's rights for good."""
    if account.switch:
        os.setgroups([])
        os.setgid(account.gid)
        os.setuid(account.uid)
