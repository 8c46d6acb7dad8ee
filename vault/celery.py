"""The Celery application and the whole beat schedule, in one table."""

import os

from celery import Celery
from celery.schedules import crontab, schedule

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vault.settings")

app = Celery("muniment")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

app.conf.beat_schedule = {
    "tell of birthdays that change a tier": {"task": "holders.tell_of_birthdays", "schedule": schedule(900)},
    "end the leave of guardians of who has grown up": {"task": "holders.end_guardians", "schedule": schedule(3600)},
    "write down which emergencies are over": {"task": "holders.end_emergencies", "schedule": schedule(60)},
    "expire requests nobody decided": {"task": "access.expire_requests", "schedule": schedule(60)},
    "write down which grants are over": {"task": "access.expire_grants", "schedule": schedule(60)},
    "end the grants that stood unused": {"task": "access.lapse_grants", "schedule": schedule(3600)},
    "remind of leave to act that ends soon": {"task": "holders.remind_of_leave", "schedule": schedule(3600)},
    "write down which leave to act is over": {"task": "holders.end_leave", "schedule": schedule(300)},
    "write down which shares are over": {"task": "shares.expire", "schedule": schedule(60)},
    "tell of links that were opened": {"task": "shares.tell", "schedule": schedule(60)},
    "forget shares of a month ago": {"task": "shares.forget", "schedule": schedule(3600)},
    "tell people what waits for them": {"task": "access.digests", "schedule": schedule(300)},
    "send the letters that wait": {"task": "mail.sweep", "schedule": schedule(60)},
    "forget letters of long ago": {"task": "mail.forget", "schedule": schedule(86400)},
    "forget the handles of old stamps": {"task": "memories.forget_handles", "schedule": schedule(3600)},
    "end the proposals nobody decided": {"task": "memories.expire_proposals", "schedule": schedule(300)},
    "let what waited for its day take over": {"task": "memories.arrive", "schedule": schedule(60)},
    "compare what was proposed with what is kept": {"task": "memories.catch_up", "schedule": schedule(10)},
    "go on with erasures that fell": {"task": "erasure.sweep", "schedule": schedule(30)},
    "erase guest vaults nobody used for a day": {"task": "erasure.end_guests", "schedule": schedule(600)},
    "erase what is kept for a time only": {"task": "erasure.retain", "schedule": crontab(minute=41, hour=2)},
    "change the keys whose epoch is over": {"task": "memories.turn_keys", "schedule": schedule(3600)},
    "write tables anew where rows are gone": {"task": "erasure.reclaim", "schedule": crontab(minute=17, hour=3)},
    "rebuild search indexes a crash emptied": {"task": "memories.rebuild_indexes", "schedule": schedule(30)},
}
