"""Every setting of the site, read from the environment and checked when it starts.

DEBUG decides what kind of site this is:

* unset: a site on one's own machine. Plain HTTP, this machine's addresses only, a secret key kept in var/.
* DEBUG=1: the same, with Django's technical error pages, and with any secret key and hosts one likes.
* DEBUG=0: a real server. Nothing is assumed: secret key, hosts, origins, PostgreSQL and Redis are required.
"""

import logging
import os
from pathlib import Path

from celery.schedules import crontab

from catan_site import environment, logs

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(environment.text("DATA_DIR", str(BASE_DIR / "var"))).absolute()

_debug = environment.flag("DEBUG")
DEBUG = _debug is True
ON_OWN_MACHINE = _debug is not False

HOST = environment.text("HOST", "127.0.0.1")
PORT = environment.number("PORT", default=8000, least=1, most=65535)

LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]

if ON_OWN_MACHINE:
    environment.make_data_folder(DATA_DIR)
    SECRET_KEY = environment.text("SECRET_KEY") or environment.kept_secret(
        DATA_DIR / "secret-key", environment.new_secret
    )
    _hosts = environment.text("ALLOWED_HOSTS")
    ALLOWED_HOSTS = LOOPBACK + (environment.names if DEBUG else environment.own_hosts)(_hosts)
    if not DEBUG:
        environment.strong_secret(SECRET_KEY)
    CSRF_TRUSTED_ORIGINS = environment.origins(environment.text("CSRF_TRUSTED_ORIGINS"))
    HTTPS = False
else:
    SECRET_KEY = environment.strong_secret(environment.required("SECRET_KEY", "a long random text that is yours alone"))
    ALLOWED_HOSTS = environment.own_hosts(
        environment.required("ALLOWED_HOSTS", "the site's names, such as catan.example")
    )
    CSRF_TRUSTED_ORIGINS = environment.origins(
        environment.required("CSRF_TRUSTED_ORIGINS", "the site's addresses, such as https://catan.example")
    )
    environment.required("DATABASE_URL", "such as postgresql://user:password@127.0.0.1:5432/catan")
    environment.required("REDIS_URL", "such as redis://127.0.0.1:6379/0")
    HTTPS = environment.flag("HTTPS") is not False
    if not HTTPS and not set(ALLOWED_HOSTS) <= set(LOOPBACK):
        raise environment.SettingsError(
            "HTTPS=0 is only for trying the full stack on one's own machine: "
            f"ALLOWED_HOSTS may then hold {', '.join(LOOPBACK)} and nothing else."
        )

# Where the site is, for links in what is sent to people: nobody asks for those by an address of ours.
SITE_URL = environment.site_url(CSRF_TRUSTED_ORIGINS, default=f"http://127.0.0.1:{PORT}" if ON_OWN_MACHINE else "")

INSTALLED_APPS = [
    "moderation.apps.StaffPagesConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "axes",
    "channels",
    "csp",
    "django_structlog",
    "drf_spectacular",
    "rest_framework",
    "catan_site",
    "api",
    "moderation",
    "lobby",
    "games",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "catan_site.charsets.only_utf8",
    # A server's nginx compresses; on one's own machine nobody else does.
    *(["django.middleware.gzip.GZipMiddleware"] if ON_OWN_MACHINE else []),
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "moderation.door.Door",
    "lobby.visits.noted",
    "catan_site.request_log.RequestLog",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "catan_site.urls"
ASGI_APPLICATION = "catan_site.asgi.application"

# What is drawn around a game: the lobby's page extends that of the games, which know nothing of the lobby.
GAME_TEMPLATE = "lobby/game.html"
# What moderation and the API add to the lobby’s pages, which know of neither: see lobby/templatetags/added.py.
ADDED = {
    "person": ("moderation/_beside_person.html",),
    "profile": ("moderation/_beside_profile.html",),
    "game": ("moderation/_in_menu.html",),
    "account": ("api/_in_account.html", "moderation/_in_account.html"),
    "password": ("api/_beside_password.html",),
}
# What the page of figures asks the site itself, which is above it (moderation.figures.Vitals).
VITALS = "catan_site.vitals.read"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "moderation.waiting.shown",
            ],
        },
    },
]

# --- where things are kept -------------------------------------------------------------------------------

# Threads of a web process that answer requests, and that read and write for sockets. More would not make it faster:
# one process keeps one core busy, and every thread that wants it holds up the others.
WEB_THREADS = environment.number("WEB_THREADS", default=4, least=1, most=64)
SOCKET_THREADS = 3

# Each of these threads may hold a connection, and so may those for open pages, programs and checks of health, the
# pulse, and Channels' own thread.
DATABASES = {"default": environment.database(DATA_DIR, connections=WEB_THREADS + SOCKET_THREADS + 10)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = environment.redis_url()

if REDIS_URL:
    # After a restart all pages come back at once, and each needs a connection for a moment. Left alone, the
    # hundred-and-first would be turned away. And a socket waits for its next message as long as it takes: the
    # client's own limit of five seconds would end it. What is sent has a limit of its own, see games.broadcast.
    _layer = {"address": REDIS_URL, "max_connections": 5_000, "socket_timeout": None, "socket_connect_timeout": 5}
    CHANNEL_LAYERS = {
        "default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [_layer]}},
    }
    CACHES = {"default": {"BACKEND": "catan_site.caches.Redis", "LOCATION": REDIS_URL}}
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# --- tasks -----------------------------------------------------------------------------------------------

# In so many processes of its own a process of ours lets bots think, and so many threads of the worker for it ask them.
# A core is left to everything else. 0: bots think where clocks are kept, as in most tests, and everything else waits.
THINKERS = environment.number("THINKERS", default=max(1, len(os.sched_getaffinity(0)) - 1), least=0, most=64)

CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_BROKER_TRANSPORT_OPTIONS = (
    # Whoever queues a task does not wait for a broker that is down: beat's sweep does the work later.
    {"socket_connect_timeout": 2, "socket_timeout": 5, "max_retries": 0}
    if REDIS_URL
    # Left alone, the broker in memory looks for a task once a second.
    else {"polling_interval": 0.02}
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
# Bots think in a queue of their own, of which a worker of its own takes as much as it has thinkers for.
THINKING_QUEUE = "thinking"
CELERY_TASK_ROUTES = {"games.tasks.let_bot_act": {"queue": THINKING_QUEUE}}
CELERY_WORKER_CONCURRENCY = max(1, THINKERS)
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = "UTC"
# Threads, not child processes: psycopg's pool does not survive a fork. What is urgent goes first.
CELERY_WORKER_POOL = "catan_site.pool:TaskPool"
CELERY_WORKER_PREFETCH_MULTIPLIER = 0
# A task for a moment is handed out this many seconds late at most; left alone, the embedded worker looks once a second.
CELERY_WORKER_TIMER_PRECISION = 0.05
if not REDIS_URL:
    # The embedded worker's threads keep their connections, as all threads do there (see manage.py play).
    CELERY_DB_REUSE_MAX = 10**9
# The schedule is in the code and deadlines are in the database: beat has nothing to keep in a file.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
# Tidying up waits until no game does: this is their place in the queue (games.clocks.LATER).
_LAST = {"priority": 9}
CELERY_BEAT_SCHEDULE = {
    "heartbeat": {"task": "catan_site.tasks.note_heartbeat", "schedule": 10.0},
    # A round that could not be made in its time is made by the next.
    "clocks": {"task": "games.tasks.sweep", "schedule": 2.0, "options": {"expires": 2}},
    "ratings": {"task": "lobby.tasks.rate_missed_games", "schedule": 60.0, "options": {"expires": 60}},
    "tables": {"task": "lobby.tasks.free_chairs_of_those_gone", "schedule": 30.0, "options": {"expires": 30}},
    "holidays": {"task": "lobby.tasks.begin_and_end_holidays", "schedule": 10.0, "options": {"expires": 10}},
    "bans": {"task": "lobby.tasks.keep_the_banned_out", "schedule": 5.0, "options": {"expires": 5}},
    "notices": {"task": "lobby.tasks.tell_whom_it_is_time_to_tell", "schedule": 5.0, "options": {"expires": 5}},
    "old notices": {"task": "lobby.tasks.clear_old_notices", "schedule": 3600.0, "options": _LAST},
    "sessions": {"task": "catan_site.tasks.clear_expired_sessions", "schedule": 24 * 3600.0, "options": _LAST},
    "figures": {"task": "moderation.tasks.take_sample", "schedule": 60.0, "options": {"expires": 60}},
    "guests": {"task": "lobby.tasks.clear_old_guests", "schedule": 3600.0, "options": _LAST},
    # At night, where most people are who come here.
    "pairs": {"task": "moderation.tasks.find_unusual_pairs", "schedule": crontab(hour=3, minute=20), "options": _LAST},
    "addresses": {"task": "moderation.tasks.forget_addresses", "schedule": crontab(minute=40), "options": _LAST},
}


# --- people ----------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "lobby.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "lobby.accounts.Backend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("name", "username", "email")},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
SESSION_ENGINE = "catan_site.sessions"
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "front"
LOGOUT_REDIRECT_URL = "front"

# What of allauth is used, and how. Its pages are ours (templates/account, templates/mfa), its addresses are in
# lobby/urls_account.py, and what it asks of the site is in lobby/signing_in.py.
ACCOUNT_ADAPTER = "lobby.signing_in.Adapter"
ACCOUNT_FORMS = {
    "login": "lobby.forms_account.SignInForm",
    "signup": "lobby.forms_account.SignUpForm",
    "add_email": "lobby.forms_account.AddressForm",
    "change_password": "lobby.forms_account.ChangePasswordForm",
    "reset_password": "lobby.forms_account.ForgottenPasswordForm",
    "reset_password_from_key": "lobby.forms_account.NewPasswordForm",
    "reauthenticate": "lobby.forms_account.PasswordAgainForm",
}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_LOGIN_METHODS = {"username"}
# An address may be given; whether another account has it is told to nobody but whoever reads its mail.
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_CONFIRMATION_ANONYMOUS_REDIRECT_URL = "sign-in"
ACCOUNT_EMAIL_CONFIRMATION_AUTHENTICATED_REDIRECT_URL = "account"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USER_DISPLAY = "lobby.signing_in.shown_name"
# Guesses at passwords and sign-ups are counted by axes and by lobby/limits.py; the rest is as allauth has it.
ACCOUNT_RATE_LIMITS = {"login": None, "signup": None}
MFA_ADAPTER = "lobby.signing_in.SecondFactorAdapter"
MFA_FORMS = {
    "authenticate": "lobby.forms_account.CodeForm",
    "reauthenticate": "lobby.forms_account.CodeAgainForm",
    "activate_totp": "lobby.forms_account.FirstCodeForm",
}
MFA_TOTP_ISSUER = "Online Catan"
# Telephones' clocks are not always right.
MFA_TOTP_TOLERANCE = 1
# Whoever gave an address need not have confirmed it; many have none.
MFA_ALLOW_UNVERIFIED_EMAIL = True

# Someone who guesses passwords waits; the account's owner, elsewhere, does not.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # hours
# From one address in that time, at whatever names: see lobby/limits.py.
MOST_GUESSES = environment.number("MOST_GUESSES", default=20, least=1, most=1_000_000)
AXES_RESET_ON_SUCCESS = True
AXES_USERNAME_CALLABLE = "lobby.accounts.counted_name"
AXES_LOCKOUT_CALLABLE = "lobby.views_account.locked_out"
AXES_VERBOSE = False
# Who came from where is nobody's business; failures are kept to slow guessing down.
AXES_DISABLE_ACCESS_LOG = True

# What one visitor may ask for, see lobby/limits.py. An address may be a household's or a school's.
GUESTS_AN_HOUR = environment.number("GUESTS_AN_HOUR", default=40, least=1, most=1_000_000)
SIGN_UPS_AN_HOUR = environment.number("SIGN_UPS_AN_HOUR", default=20, least=1, most=1_000_000)
MOST_OPEN_TABLES = 10
TABLES_AN_HOUR = 30
MOST_GAMES_AGAINST_BOTS = 5
INVITATIONS_AN_HOUR = 30
SHUFFLES_AN_HOUR = 120
WAYS_AN_HOUR = 30
REPORTS_AN_HOUR = 10
TOKENS_AN_HOUR = 30
# Days after which guests who do not come back are forgotten, with their games against bots: see lobby/clearing.py.
GUESTS_KEPT = environment.number("GUESTS_KEPT", default=90, least=1, most=10_000)
# Days after which what people were told is forgotten: see lobby/notices/sending.py.
NOTICES_KEPT = environment.number("NOTICES_KEPT", default=14, least=3, most=10_000)

# --- mail ------------------------------------------------------------------------------------------------

if not ON_OWN_MACHINE:
    environment.required("EMAIL_URL", "such as smtp+tls://user:password@mail.example:587")
    environment.required("EMAIL_FROM", "such as Online Catan <catan@catan.example>")
_mail = environment.mail(DATA_DIR / "mail", may_be_folder=not HTTPS)
EMAIL_BACKEND = f"django.core.mail.backends.{'filebased' if _mail.folder else 'smtp'}.EmailBackend"
# Where mails lie that are not sent: a site on one's own machine has nobody to send them.
EMAIL_FILE_PATH = _mail.folder
EMAIL_HOST, EMAIL_PORT = _mail.host, _mail.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail.user, _mail.password
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.starts_tls, _mail.is_tls
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = environment.sender("Online Catan <catan@localhost>")

# --- push and webhooks -----------------------------------------------------------------------------------

# With which browsers' push services know us; a server without it offers no push. A new key loses every browser.
VAPID_PRIVATE_KEY = environment.text("VAPID_PRIVATE_KEY")
VAPID_CONTACT = ""
if ON_OWN_MACHINE:
    VAPID_PRIVATE_KEY = VAPID_PRIVATE_KEY or environment.kept_secret(DATA_DIR / "push-key", environment.new_push_key)
    VAPID_CONTACT = environment.push_contact(default="mailto:catan@localhost")
elif VAPID_PRIVATE_KEY:
    VAPID_CONTACT = environment.push_contact(environment.required("VAPID_CONTACT", "such as mailto:you@catan.example"))
if VAPID_PRIVATE_KEY:
    environment.push_key(VAPID_PRIVATE_KEY)
# Seconds for one delivery, from the look-up of the name to the answer.
NOTICE_SECONDS: float = 10
# Beside all networks that are private anyway, where push and webhooks may not go, whoever gives such an address: public
# addresses of machines that trust this one, and the prefix under which one's NAT64 reaches the old internet.
OWN_NETWORKS = environment.networks("OWN_NETWORKS")
# Lets push and webhooks, which else go to the open internet alone (lobby/notices/outside.py), go to tests that listen
# on this machine.
NOTICES_TO_LOOPBACK = environment.flag("NOTICES_TO_LOOPBACK") is True
if NOTICES_TO_LOOPBACK and HTTPS:
    raise environment.SettingsError("NOTICES_TO_LOOPBACK=1 is only for tests on one's own machine: take it out.")

# --- the API ---------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    # The first one's header goes with every 401.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["api.permissions.MayAsk"],
    "DEFAULT_THROTTLE_CLASSES": ["api.throttles.Throttle"],
    "DEFAULT_VERSIONING_CLASS": "rest_framework.versioning.NamespaceVersioning",
    "DEFAULT_VERSION": "v1",
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "api.negotiation.AlwaysJson",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.Json"],
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "api.problems.answer",
    "DEFAULT_SCHEMA_CLASS": "api.schema.auto.Documented",
}
# The document that describes the API: see api/README.md, “The schema”.
SPECTACULAR_SETTINGS = {
    "TITLE": "Online Catan",
    "DESCRIPTION": (
        "Everything that a browser can do here, a program can do: sit down at a table, play, talk, follow games.\n\n"
        "Send JSON, with a token of your account in the header `Authorization: Bearer catan_…`; it is made there, "
        "under Programs. Reading what everybody may see needs none. Whatever is refused is a problem document: its "
        "`code` is for programs, its `detail` for people.\n\n"
        "A game is a page, as you may see it, with a version, the number of its last move. Ask for the choices, send "
        "one of them with that version, and you get the new page. The stream tells you what the others do."
    ),
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SORT_OPERATION_PARAMETERS": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enum_id_removal",
        "api.schema.hooks.complete",
    ],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "TAGS": [
        {"name": "Start", "description": "What there is, and who you are."},
        {"name": "Games", "description": "Look at a game, see what can be done, make moves, hear what happens."},
        {"name": "Tables", "description": "Where people meet before a game."},
        {"name": "Chats", "description": "What people say at tables and in games, and who watches."},
        {"name": "People", "description": "Profiles and leaderboards."},
    ],
}
# How often a minute somebody, or all their programs, may ask: see api/throttles.py.
API_READS_A_MINUTE = environment.number("API_READS_A_MINUTE", default=600, least=1, most=1_000_000)
API_MOVES_A_MINUTE = environment.number("API_MOVES_A_MINUTE", default=300, least=1, most=1_000_000)
API_OFFERS_A_MINUTE = environment.number("API_OFFERS_A_MINUTE", default=30, least=1, most=1_000_000)
# The longest thing anybody sends is an offer, and that is less than a kilobyte.
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024

# --- whoever watches the site ----------------------------------------------------------------------------

# What Prometheus says to read /metrics; empty: nobody reads it.
METRICS_TOKEN = environment.token("METRICS_TOKEN")

# --- safety ----------------------------------------------------------------------------------------------

SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
# nginx overwrites this header with what it saw itself, so a visitor cannot claim it.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"

# Everything comes from this site, scripts and styles from files alone; 'self' covers its sockets too.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "object-src": ["'none'"],
    },
}

# --- files of the pages ----------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
# On one's own machine files are served as they lie (files.py); a server collects them first.
if not ON_OWN_MACHINE:
    STORAGES = {"staticfiles": {"BACKEND": "catan_site.storage.StaticFiles"}}

# --- language and logs -----------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True
# Where a page says nothing else, which is the admin.
FORMAT_MODULE_PATH = ["catan_site.formats"]

LOG_LEVEL = environment.one_of("LOG_LEVEL", default="INFO", choices=logs.LEVELS)
LOGGING = logs.configuration(LOG_LEVEL, as_json=not ON_OWN_MACHINE)
LOGGING_CONFIG = "catan_site.logs.configure"
DJANGO_STRUCTLOG_CELERY_ENABLED = True
# One line a request is enough, and none for a task that went well.
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG
# What could not be answered for the moment is told apart, in a line now and then.
DJANGO_STRUCTLOG_STATUS_5XX_LOG_LEVEL = logging.DEBUG
# A move that the rules refuse is an ordinary answer.
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO
DJANGO_STRUCTLOG_CELERY_DEFAULT_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_CELERY_TASK_FAILURE_LOG_LEVEL = logging.ERROR
# Who called from where is nobody's business but the proxy's.
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
