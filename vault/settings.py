"""The one settings file. Every variable read here is described in .env.example."""

from pathlib import Path
from urllib.parse import SplitResult, unquote

import redis
from csp.constants import NONCE, NONE, SELF
from redis.backoff import NoBackoff
from redis.retry import Retry

from vault import providers
from vault.env import WrongSetting, env_bool, env_database, env_int, env_text, env_url

BASE_DIR = Path(__file__).resolve().parent.parent
STATE_DIR = Path(env_text("MUNIMENT_STATE_DIR", str(BASE_DIR / ".run")))

# ---------------------------------------------------------------- secrets and addresses
SECRET_KEY = env_text("MUNIMENT_SECRET_KEY")
MUNIMENT_TICKET_KEY = env_text("MUNIMENT_TICKET_KEY")
MUNIMENT_ROOT_KEY_FILE = env_text("MUNIMENT_ROOT_KEY_FILE")
_public = env_url("MUNIMENT_PUBLIC_URL", "http://localhost:8000", schemes=("http", "https"), credentials=False)
PUBLIC_URL = _public.geturl().rstrip("/")
DEBUG = env_bool("MUNIMENT_DEBUG", False)
TRUSTED_PROXY_COUNT = env_int("MUNIMENT_TRUSTED_PROXY_COUNT", 0)

SECURE = _public.scheme == "https"
# One setting drives every guard against a wrong Host or Origin: Django's, the MCP mount's and links.
ALLOWED_HOSTS: list[str] = [_public.hostname or "", "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
if TRUSTED_PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# ---------------------------------------------------------------- applications
INSTALLED_APPS = [
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "apps.web",  # before allauth: its sign-in pages have our look
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "apps.ledger",
    "apps.mail",
    "apps.holders",
    "apps.memories",
    "apps.access",
    "apps.shares",
    "apps.turns",
    "apps.erasure",
    "apps.api",
    "apps.mcp",
    "apps.console",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "apps.web.guests.Guests",
    "apps.web.on_hold.WhenOnHold",
]

ROOT_URLCONF = "vault.urls"
ASGI_APPLICATION = "vault.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "DIRS": [],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "apps.web.context.frame",
            ],
        },
    }
]


# ---------------------------------------------------------------- database
_POOL = env_int("MUNIMENT_DB_POOL_SIZE", 8, 1) if env_bool("MUNIMENT_DB_POOL", False) else 0
DATABASES = {
    "default": env_database("MUNIMENT_DB_APP_URL", pool=_POOL),  # the web role: no way to a value
    "gate": env_database("MUNIMENT_DB_GATE_URL", pool=_POOL),  # stamp, take and search, autocommit only
}
if env_text("MUNIMENT_DB_OWNER_URL", ""):
    DATABASES["owner"] = env_database("MUNIMENT_DB_OWNER_URL")  # migrations only
if env_text("MUNIMENT_DB_LOG_URL", ""):  # a developer's command or a test: the log's own process has log_settings.py
    from vault import log_settings as _log

    DATABASES["log"] = _log.DATABASES["log"]
    LOG_KEY_FILE, LOG_SIGNER, LOG_ORIGIN = _log.LOG_KEY_FILE, _log.LOG_SIGNER, _log.LOG_ORIGIN
    LOG_POLICY, LOG_INTERVAL_SECONDS = _log.LOG_POLICY, _log.LOG_INTERVAL_SECONDS
if env_text("MUNIMENT_DB_RECLAIM_URL", ""):
    DATABASES["reclaim"] = env_database("MUNIMENT_DB_RECLAIM_URL")  # vacuums, and reads no row of anybody's
DB_PREPARE = env_bool("MUNIMENT_DB_PREPARE", True)  # statements of the hot road are planned once a connection
DATABASE_ROUTERS = ["vault.routers.OwnerMigrates"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# ---------------------------------------------------------------- broker and cache
_redis = env_url("REDIS_URL", schemes=("redis", "rediss", "redis+socket"), host=False)
REDIS_URL = env_text("REDIS_URL")  # as it was written: put together again, one without a host has lost its //


def _cache_url(parts: SplitResult) -> str:
    """The cache's URL on the broker's server: database 1, in redis-py's spelling for sockets."""
    if parts.scheme == "redis+socket":
        return f"unix://{parts.path}?password={parts.password or ''}&db=1"
    return parts._replace(path="/1", query="").geturl()


CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": _cache_url(_redis),
        "OPTIONS": {  # a connection that broke is made anew once; silence is not waited out, but told as busy
            "socket_timeout": 2,
            "socket_connect_timeout": 2,
            "retry": Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
        },
    }
}
SESSION_ENGINE = "django.contrib.sessions.backends.db"
CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# ---------------------------------------------------------------- people and sign-in
AUTH_USER_MODEL = "holders.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "apps.holders.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True  # a changed password or address is told
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXY_COUNT
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Muniment"
MFA_ADAPTER = "apps.holders.adapter.MFAAdapter"
MFA_ALLOW_UNVERIFIED_EMAIL = True  # why is said at the adapter
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not SECURE
USERSESSIONS_TRACK_ACTIVITY = False
SIGNUP_OPEN = env_bool("MUNIMENT_SIGNUP_OPEN", True)
GUESTS = env_bool("MUNIMENT_GUEST", False)
GUEST_VAULTS = env_int("MUNIMENT_GUEST_VAULTS", 100, 1)

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "font-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
    }
}

# ---------------------------------------------------------------- mail
MAIL_FROM = env_text("MUNIMENT_MAIL_FROM", f"Muniment <muniment@{_public.hostname}>")
MAIL_REPLY_TO = env_text("MUNIMENT_MAIL_REPLY_TO", "")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = MAIL_FROM
MAIL_OPERATOR = env_text("MUNIMENT_MAIL_OPERATOR", "")
MAIL_PROVIDER = env_text("MUNIMENT_MAIL_PROVIDER", "")
MAIL_PROVIDER_SECRET = env_text("MUNIMENT_MAIL_PROVIDER_SECRET", "")
_SMTP_PORTS = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}  # where the URL names none
_smtp = env_url("MUNIMENT_SMTP_URL", "", schemes=tuple(_SMTP_PORTS), bare=True)
if MAIL_PROVIDER and _smtp.scheme:
    raise WrongSetting("MUNIMENT_SMTP_URL and MUNIMENT_MAIL_PROVIDER are both set. Mail goes one way: unset the other.")
if MAIL_PROVIDER:
    _url = env_url("MUNIMENT_MAIL_PROVIDER_URL", "", schemes=("http", "https"), credentials=False)
    _key = env_text("MUNIMENT_MAIL_PROVIDER_KEY", "")
    _by = providers.chosen(MAIL_PROVIDER, _key, url=_url.geturl(), secret=MAIL_PROVIDER_SECRET)
    EMAIL_BACKEND, ANYMAIL = _by["EMAIL_BACKEND"], _by["ANYMAIL"]
elif _smtp.scheme:
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST, EMAIL_PORT = _smtp.hostname, _smtp.port or _SMTP_PORTS[_smtp.scheme]
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = unquote(_smtp.username or ""), unquote(_smtp.password or "")
    EMAIL_USE_SSL, EMAIL_USE_TLS = _smtp.scheme == "smtps", _smtp.scheme == "smtp+starttls"
    EMAIL_TIMEOUT = 20
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = STATE_DIR / "mail"

# ---------------------------------------------------------------- REST
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["apps.api.authentication.DenyAll"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "EXCEPTION_HANDLER": "apps.api.errors.handle",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Muniment",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# ---------------------------------------------------------------- the model endpoint (none: the stand-in)
_llm = env_url("MUNIMENT_LLM_BASE_URL", "", schemes=("http", "https"), credentials=False)
LLM_BASE_URL = _llm.geturl().rstrip("/")
LLM_API_KEY = env_text("MUNIMENT_LLM_API_KEY", "")
LLM_MODEL = env_text("MUNIMENT_LLM_MODEL", "")
LLM_LOCAL = env_bool("MUNIMENT_LLM_LOCAL", False)
LLM_TIMEOUT_SECONDS = env_int("MUNIMENT_LLM_TIMEOUT_SECONDS", 60, 1)

# ---------------------------------------------------------------- policy's numbers
READS_PER_MINUTE = env_int("MUNIMENT_READS_PER_MINUTE", 600, 1)
WISHES_PER_HOUR = env_int("MUNIMENT_WISHES_PER_HOUR", 60, 1)  # requests, and as many proposals, of one client
SHARE_PRESSES_PER_MINUTE = env_int("MUNIMENT_SHARE_PRESSES_PER_MINUTE", 60, 1)  # of visitors at one address
ASYNC_STAMP = env_bool("MUNIMENT_ASYNC_STAMP", False)
BACKUP_KEYS_DAYS = env_int("MUNIMENT_BACKUP_KEYS_DAYS", 7, 1)  # a part of how long an erasure takes in backups
KEY_EPOCH_DAYS = env_int("MUNIMENT_KEY_EPOCH_DAYS", 7, 1)  # and the other part

# ---------------------------------------------------------------- the rest
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True
STATIC_URL = "/static/"
STATIC_ROOT = STATE_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_MAX_AGE = 3600
SILENCED_SYSTEM_CHECKS: list[str] = []
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "filters": {"no_secrets": {"()": "vault.quiet.NoSecrets"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["no_secrets"]}},
    "root": {"handlers": ["console"], "level": "INFO"},
    # Statements are not logged at any level: their parameters may hold a value.
    "loggers": {
        "django.db.backends": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},
        "mcp": {"level": "WARNING"},
    },
}
