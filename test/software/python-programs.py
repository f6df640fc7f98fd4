"""Programs from Debian at work, each on a Redis of its own: `python3 python-programs.py <program> <url> <phase>`.

`first` is a usual day; `later` is traffic of another kind: another queue, another language."""

import sys
from hashlib import md5

program, url, phase = sys.argv[1:4]
is_later = phase == "later"
numbers = range(1001, 1031) if is_later else range(1, 31)


def work(n):
    if n % 7 == 0:
        raise ValueError("no")
    return {"ok": n}


def rq():
    from datetime import timedelta

    from redis import Redis
    from rq import Queue, SimpleWorker

    sys.modules["work"] = sys.modules["__main__"]
    redis = Redis.from_url(url)
    for name in ["mails", "urgent"] if is_later else ["default", "high", "low"]:
        queue = Queue(name, connection=redis)
        for n in numbers:
            queue.enqueue("__main__.work", n, result_ttl=3600)
        SimpleWorker([queue], connection=redis).work(burst=True, logging_level="CRITICAL")
        for n in range(3):
            queue.enqueue_in(timedelta(hours=1), "__main__.work", n)
        for n in range(4):
            queue.enqueue("__main__.work", n)


def celery():
    from celery import Celery

    app = Celery("tasks", broker=url, backend=url)
    for queue in ["mails", "urgent"] if is_later else ["celery", "images"]:
        for n in numbers:
            app.send_task("tasks.add", [n, 2], queue=queue)
    for n in numbers:
        app.backend.store_result(md5(str(n).encode()).hexdigest(), {"ok": n}, "SUCCESS" if n % 7 else "FAILURE")


def django_redis():
    import django
    from django.conf import settings

    settings.configure(
        CACHES={"default": {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": url}},
        SESSION_ENGINE="django.contrib.sessions.backends.cache",
        SECRET_KEY="x" * 50,
        USE_TZ=True,
    )
    django.setup()
    from django.contrib.sessions.backends.cache import SessionStore
    from django.core.cache import cache

    language = "sv" if is_later else "en-us"
    for n in numbers:
        session = SessionStore()
        session["user"] = n
        session.save()
        cache.set(f"user_profile_{n}", {"name": f"User {n}"}, 600)
        cache.set(f"product.{n}", {"price": n}, 600)
        digest = md5(str(n).encode()).hexdigest()
        cache.set(f"views.decorators.cache.cache_header..{digest}.{language}.UTC", [], 600)


def flask_caching():
    from flask import Flask, session
    from flask_caching import Cache
    from flask_session import Session
    from redis import Redis

    app = Flask("shop")
    app.config.update(
        CACHE_TYPE="RedisCache", CACHE_REDIS_URL=url, SESSION_TYPE="redis", SESSION_REDIS=Redis.from_url(url)
    )
    cache = Cache(app)
    Session(app)

    @app.route("/<page>/<int:n>")
    @cache.cached(timeout=600)
    def page(page, n):
        session["n"] = n
        return f"{page} {n}"

    with app.app_context():
        for n in numbers:
            app.test_client().get(f"/{'help' if is_later else ['shop', 'news'][n % 2]}/{n}")
            cache.set(f"user.{n}", {"n": n}, timeout=600)


{"rq": rq, "celery": celery, "django-redis": django_redis, "flask-caching": flask_caching}[program]()
