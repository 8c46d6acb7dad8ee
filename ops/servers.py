"""The two servers of an instance: embedded ones under our supervisor, or those the operator named."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ops import environment
from ops.accounts import Account, current, for_log, for_servers, for_services
from ops.binaries import postgres_bin, valkey_server
from ops.bootstrap import LOGINS, with_database
from ops.postgres import Postgres
from ops.state import CHECKOUT, State, locate, own, secret, write_private
from ops.supervisor import Part, Step, Supervisor
from ops.trouble import Trouble
from ops.valkey import Valkey

DATABASE = "muniment"
# Tests and bench never touch what the operator runs: they look at settings of their own.
OUTSIDE = {
    "run": ("DATABASE_URL", "REDIS_URL"),
    "test": ("MUNIMENT_TEST_DATABASE_URL", "MUNIMENT_TEST_REDIS_URL"),
    "bench": ("MUNIMENT_TEST_DATABASE_URL", "MUNIMENT_TEST_REDIS_URL"),
}
URL_NAMES = {role: f"MUNIMENT_DB_{role.removeprefix('muniment_').upper()}_URL" for role in LOGINS}


@dataclass(frozen=True)
class Servers:
    """Where the servers of one instance are, and the environment its processes get."""

    state: State
    servers: Account
    services: Account
    log: Account
    kind: str

    @property
    def throw_away(self) -> bool:
        """Whether speed counts more than surviving a crash of the machine."""
        return self.kind == "test"

    @property
    def postgres(self) -> Postgres | None:
        """The embedded cluster, or None when the settings name one."""
        if self._outside(0):
            return None
        return Postgres(self.state, self.servers, postgres_bin(self.state, self.servers), self.throw_away)

    @property
    def valkey(self) -> Valkey | None:
        """The embedded server, or None when the settings name one."""
        if self._outside(1):
            return None
        return Valkey(self.state, self.servers, valkey_server(self.state, self.servers), self.throw_away)

    def env(self, *, privileged: bool = False, port: int = 8000) -> dict[str, str]:
        """The environment of a process; ``privileged`` adds owner's, log's, admin's and superuser's URLs, and where the
        log's keys are."""
        own = self.kind == "run"
        given = environment.setting if own else (lambda _: None)
        made = environment.base(keep_settings=own)
        postgres, valkey = self.postgres, self.valkey
        admin_url = postgres.url() if postgres else self._outside(0)
        for role, name in URL_NAMES.items():
            if privileged or name not in environment.PRIVILEGED:
                made[name] = given(name) or self._role_url(admin_url, role)
        if privileged:
            made["DATABASE_URL"] = admin_url
            made |= self._log_keys(given)
            if words := given("MUNIMENT_BACKUP_PASSPHRASE"):
                made["MUNIMENT_BACKUP_PASSPHRASE"] = words
        made["REDIS_URL"] = valkey.url() if valkey else self._outside(1)
        defaults: dict[str, Callable[[], str]] = {
            "MUNIMENT_SECRET_KEY": lambda: secret(self.state, "secret_key"),
            "MUNIMENT_TICKET_KEY": lambda: secret(self.state, "ticket_key"),
            "MUNIMENT_ROOT_KEY_FILE": self._root_keys,
            "MUNIMENT_STATE_DIR": lambda: str(self.state.app),
            "MUNIMENT_PUBLIC_URL": lambda: f"http://localhost:{port}",
        }
        for name, default in defaults.items():
            made[name] = given(name) or default()
        for name in [name for name in made if name.endswith("_FILE") and name.removesuffix("_FILE") in made]:
            if name != "MUNIMENT_ROOT_KEY_FILE":
                del made[name]  # its contents are in the variable itself now
        return self._python(made, self.services, self.state.app)

    def log_env(self, port: int) -> dict[str, str]:
        """The environment of the log's process: its role, its keys, and nothing that leads to a value."""
        given = environment.setting if self.kind == "run" else (lambda _: None)
        made = environment.base(keep_settings=False)
        made["DJANGO_SETTINGS_MODULE"] = "vault.log_settings"
        postgres = self.postgres
        admin_url = postgres.url() if postgres else self._outside(0)
        made["MUNIMENT_DB_LOG_URL"] = given("MUNIMENT_DB_LOG_URL") or self._role_url(admin_url, "muniment_log")
        made["MUNIMENT_PUBLIC_URL"] = given("MUNIMENT_PUBLIC_URL") or f"http://localhost:{port}"
        made["MUNIMENT_STATE_DIR"] = str(self.state.signing)
        made |= self._log_keys(given)
        for name in ("MUNIMENT_LOG_ORIGIN", "MUNIMENT_LOG_POLICY", "MUNIMENT_LOG_INTERVAL_SECONDS"):
            if value := given(name):
                made[name] = value
        return self._python(made, self.log, self.state.signing)

    def _log_keys(self, given: Callable[[str], str | None]) -> dict[str, str]:
        """Where the log's keys are, and what signs in their place if the operator says so."""
        made = {"MUNIMENT_LOG_KEY_FILE": given("MUNIMENT_LOG_KEY_FILE") or str(self.state.signing / "log_key")}
        if signer := given("MUNIMENT_LOG_SIGNER"):
            made["MUNIMENT_LOG_SIGNER"] = signer
        return made

    def _python(self, made: dict[str, str], account: Account, folder: Path) -> dict[str, str]:
        """The environment with what a Python process of that account, with that folder of its own, wants."""
        made["HOME"] = str(folder) if account.switch else made.get("HOME", "/")
        made["PYTHONUNBUFFERED"] = "1"
        made.pop("PYTHONDONTWRITEBYTECODE", None)  # compiling everything at each start would double its time
        made.setdefault("MALLOC_ARENA_MAX", "2")
        if account.switch:  # it cannot write beside the code, and compiling at each start is slow
            made["PYTHONPYCACHEPREFIX"] = str(folder / "pycache")
        return made

    def outside(self) -> str:
        """A digest of the servers that are not ours, so that nobody mistakes one set for another."""
        return sha256(f"{self._outside(0)} {self._outside(1)}".encode()).hexdigest()[:16]

    def _outside(self, which: int) -> str:
        """The URL of a server that is not ours, or an empty string."""
        return environment.server(OUTSIDE[self.kind][which]) or ""

    def _role_url(self, admin_url: str, role: str) -> str:
        """The administrator's URL with another role, its password and our database."""
        scheme, _, rest = with_database(admin_url, DATABASE).partition("://")
        return f"{scheme}://{role}:{secret(self.state, role)}@{rest.rpartition('@')[2]}"

    def _root_keys(self) -> str:
        path = self.state.app / "root_keys"
        if not path.exists():
            if self.state.stamp("bootstrapped"):
                raise Trouble(
                    f"The root keys {path} are gone, and without them no stored value opens: "
                    "put the file back, or run 'make clean' to begin anew."
                )
            write_private(path, f"1 {secret(self.state, 'root_key_1')}\n", self.services)
            (self.state.secrets / "root_key_1").unlink()  # one copy only: losing it must be final
        return str(path)

    def parts(self) -> list[Part]:
        """The embedded servers as parts for the supervisor; makes the cluster when there is none."""
        made: list[Part] = []
        if valkey := self.valkey:
            valkey.make()
            made.append(Part("valkey", valkey.argv(), valkey.env(), self.servers, valkey.ready))
        if postgres := self.postgres:
            if self.state.stamp("bootstrapped") and not postgres.data.exists():
                raise Trouble(
                    f"The database {postgres.data} is gone, and the last start had one: "
                    "put it back, or run 'make clean' to begin anew."
                )
            postgres.make()
            made.append(
                Part(
                    "postgres",
                    postgres.argv(),
                    postgres.env(),
                    self.servers,
                    postgres.ready,
                    before=postgres.clear,
                    stop_signal=postgres.death_signal,
                    hard_stop=signal.SIGQUIT,
                    patience=20,
                )
            )
        return made

    def bring_up(self, boss: Supervisor) -> None:
        """Start the embedded servers and have roles, database and extensions there."""
        parts = self.parts()
        for part in parts:
            boss.start(part)
        boss.await_ready(*parts)
        digest = self._bootstrap_digest()
        if digest is None or self.state.stamp("bootstrapped") != digest:
            boss.finish(boss.begin(self.bootstrap_step()))
            self.state.set_stamp("bootstrapped", digest or "outside")

    def _bootstrap_digest(self) -> str | None:
        """What a bootstrap of our own cluster depends on. Of another's server nothing is known: None."""
        if self.postgres is None:
            return None
        cluster = (self.state.postgres / "data" / "PG_VERSION").stat()
        code = Path(__file__).with_name("bootstrap.py").read_bytes()
        words = "".join(secret(self.state, role) for role in LOGINS)
        return sha256(code + f"{cluster.st_ino} {cluster.st_mtime_ns} {words}".encode()).hexdigest()

    def bootstrap_step(self) -> Step:
        """Roles, database, extensions, in a process of their own: the supervisor stays small."""
        argv = [sys.executable, "-m", "ops", "bootstrap", *(["--own-cluster"] if self.postgres else [])]
        # Under our own account: the checkout may be closed to the others.
        return Step("bootstrap", argv, self.env(privileged=True), current(), CHECKOUT)


def find(kind: str) -> Servers:
    """The servers of ``run``, ``test`` or ``bench``, with their folders made."""
    account = for_servers()
    state = locate(kind, account)
    needed = [CHECKOUT / "vault" / "settings.py", Path(sys.executable), state.root]
    services = for_services(needed)
    log = for_log(services, needed)
    own(state.app, services)
    own(state.signing, log)
    return Servers(state, account, services, log, kind)
