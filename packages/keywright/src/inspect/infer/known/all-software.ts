/* The programs that infer knows, those first whose layout says most. A file each: another program is one more file
 * and one more line here. */

import type { KnownSoftware } from "./known-software.ts"
import { beeQueue } from "./bee-queue.ts"
import { bottleneck } from "./bottleneck.ts"
import { bull, bullmq } from "./bull.ts"
import { cacheman } from "./cacheman.ts"
import { celery } from "./celery.ts"
import { django } from "./django.ts"
import { faye } from "./faye.ts"
import { flask } from "./flask.ts"
import { gitlab } from "./gitlab.ts"
import { horizon } from "./horizon.ts"
import { keyv } from "./keyv.ts"
import { kue } from "./kue.ts"
import { laravel } from "./laravel.ts"
import { nohm } from "./nohm.ts"
import { rateLimiters } from "./rate-limiters.ts"
import { redlock } from "./redlock.ts"
import { redisSemaphore } from "./redis-semaphore.ts"
import { redisSmq } from "./redis-smq.ts"
import { resque } from "./resque.ts"
import { rq } from "./rq.ts"
import { rsmq } from "./rsmq.ts"
import { sidekiq } from "./sidekiq.ts"
import { socketIo } from "./socket-io.ts"
import { springCache } from "./spring-cache.ts"
import { springSession } from "./spring-session.ts"
import { symfony } from "./symfony.ts"
import { webSessions } from "./web-sessions.ts"

export const allSoftware: readonly KnownSoftware[] = [
  bullmq,
  bull,
  rq,
  celery,
  sidekiq,
  resque,
  beeQueue,
  redisSmq,
  kue,
  rsmq,
  nohm,
  laravel,
  horizon,
  symfony,
  django,
  flask,
  webSessions,
  springSession,
  springCache,
  socketIo,
  faye,
  rateLimiters,
  redlock,
  redisSemaphore,
  bottleneck,
  keyv,
  cacheman,
  gitlab,
]
