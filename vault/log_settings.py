"""What the log's process runs with, `manage.py publish_log`: its own role and its own keys.

Nothing here opens a seal, signs a ticket or hands a value over, and no other process has these keys: that is why it is
not settings.py, which names all of that. Every variable read here is described in .env.example.
"""

from pathlib import Path

from vault.env import env_database, env_int, env_text, env_url

BASE_DIR = Path(__file__).resolve().parent.parent
STATE_DIR = Path(env_text("MUNIMENT_STATE_DIR", str(BASE_DIR / ".run")))

INSTALLED_APPS = ["apps.ledger"]
DATABASES: dict[str, dict[str, object]] = {"default": {}, "log": env_database("MUNIMENT_DB_LOG_URL")}
DATABASE_ROUTERS = ["vault.routers.OwnerMigrates"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"

# The file with the log's keys, made at the first start, mode 600. The last signed checkpoint is kept beside it.
LOG_KEY_FILE = env_text("MUNIMENT_LOG_KEY_FILE", str(STATE_DIR / "log_key"))
# A command that signs in place of the key in that file.
LOG_SIGNER = env_text("MUNIMENT_LOG_SIGNER", "")
# The log's name for ever, taken when it begins.
_public = env_url("MUNIMENT_PUBLIC_URL", "http://localhost:8000", schemes=("http", "https"), credentials=False)
LOG_ORIGIN = env_text("MUNIMENT_LOG_ORIGIN", _public.netloc + "/log")
# The file that names its witnesses, a C2SP tlog-policy; without one nobody is asked to cosign.
LOG_POLICY = env_text("MUNIMENT_LOG_POLICY", "")
LOG_INTERVAL_SECONDS = env_int("MUNIMENT_LOG_INTERVAL_SECONDS", 2, 1)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
}
