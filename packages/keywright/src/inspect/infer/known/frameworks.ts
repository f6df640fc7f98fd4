/* Web frameworks, mappers of objects, and what they keep: sessions, caches, queues. */

import type { KnownSoftware } from "./known-software.ts"

const springCacheKey = "{cache=}::{key…} string"

export const frameworks: readonly KnownSoftware[] = [
  {
    name: "nohm",
    about: "nohm: records and their indexes",
    keys: [
      "*:hash:{model}:{id} hash",
      "*:idsets:{model} set",
      "*:ids:{model} string",
      "*:uniques:{model}:{property}:{value…} string",
      "*:index:{model}:{property}:{value…} set",
      "*:scoredindex:{model}:{property} zset",
      "*:relations:{model}:{relation}:{other}:{id} set",
      "*:relationKeys:{model}:{id} set",
      "*:meta:version:{model} string",
      "*:meta:properties:{model} string",
      "*:meta:idGenerator:{model} string",
    ],
    signs: ["*:meta:version:{model} string", "*:meta:properties:{model} string", "*:idsets:{model} set"],
  },
  {
    name: "Laravel",
    about: "Laravel: queues",
    keys: [
      "*queues:{queue} list",
      "*queues:{queue}:notify list",
      "*queues:{queue}:reserved zset",
      "*queues:{queue}:delayed zset",
    ],
    signs: ["*queues:{queue}:notify list", "*queues:{queue}:reserved zset", "*queues:{queue}:delayed zset"],
  },
  {
    name: "Horizon",
    about: "Laravel Horizon: what its queues do",
    keys: [
      "*horizon:recent_jobs zset",
      "*horizon:pending_jobs zset",
      "*horizon:completed_jobs zset",
      "*horizon:silenced_jobs zset",
      "*horizon:failed_jobs zset",
      "*horizon:recent_failed_jobs zset",
      "*horizon:monitored_jobs zset",
      "*horizon:monitoring set",
      "*horizon:masters zset",
      "*horizon:master:{master…} hash",
      "*horizon:supervisors zset",
      "*horizon:supervisor:{supervisor…} hash",
      "*horizon:measured_jobs set",
      "*horizon:measured_queues set",
      "*horizon:job:{class…} hash",
      "*horizon:queue:{queue…} hash",
      "*horizon:snapshot:job:{class…} zset",
      "*horizon:snapshot:queue:{queue…} zset",
      "*horizon:last_snapshot_at string",
      "*horizon:metrics:snapshot string",
      "*horizon:{job} hash",
    ],
    signs: [
      "*horizon:recent_jobs zset",
      "*horizon:completed_jobs zset",
      "*horizon:masters zset",
      "*horizon:measured_jobs set",
    ],
  },
  {
    name: "Symfony",
    about: "Symfony: sessions and messages",
    keys: ["sf_s{session!} string", "messages stream", "messages__queue zset"],
    least: 1,
    signs: ["sf_s{session!} string", "messages__queue zset"],
  },
  {
    name: "Django",
    about: "Django: sessions and cached pages",
    keys: [
      "*:django.contrib.sessions.cache{session!} string",
      "*:django.contrib.sessions.cached_db{session!} string",
      "*:views.decorators.cache.cache_header.{prefix}.{url}.{locale}.{zone} string",
      "*:views.decorators.cache.cache_header..{url}.{locale}.{zone} string",
      "*:views.decorators.cache.cache_page..{method}.{url}.{headers}.{locale}.{zone} string",
    ],
    least: 1,
  },
  {
    name: "Flask",
    about: "Flask-Caching: cached pages and results",
    keys: ["flask_cache_view/{path…} string", "flask_cache_{key…} string"],
    least: 1,
  },
  {
    name: "Web sessions",
    about: "Web sessions (connect-redis, Rack, Flask-Session)",
    keys: ["sess:{session!} string", "rack:session:{session!} string"],
    least: 1,
  },
  {
    name: "Spring Session",
    about: "Spring Session",
    keys: [
      "*:sessions:{session!} hash",
      "*:sessions:expires:{session!} string",
      "*:expirations:{at} set",
      "*:index:FindByIndexNameSessionRepository.PRINCIPAL_NAME:{principal…} set",
      "*:index:org.springframework.session.FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME:{principal…} set",
    ],
    signs: ["*:sessions:{session!} hash", "*:sessions:expires:{session!} string", "*:expirations:{at} set"],
  },
  {
    name: "Spring cache",
    about: "Spring cache: the name of the cache, and the key",
    keys: [springCacheKey],
    // As JdkSerializationRedisSerializer or GenericJackson2JsonRedisSerializer writes them.
    looks: { [springCacheKey]: ["string:java"] },
    fields: { [springCacheKey]: ["@class"] },
    least: 1,
  },
  {
    name: "Socket.IO",
    about: "Socket.IO: messages between its servers",
    keys: ["socket.io stream", "sio:session:{session!} string"],
    least: 1,
  },
  // The id of a client is enough to receive its messages.
  {
    name: "Faye",
    about: "Faye: clients, their channels and the messages that wait for them",
    keys: [
      "*/clients zset",
      "*/clients/{client!}/channels set",
      "*/clients/{client!}/messages list",
      "*/channels/{channel…} set",
    ],
    signs: ["*/clients zset", "*/clients/{client!}/channels set"],
  },
]
