import type { KnownSoftware } from "./known-software.ts"

export const django: KnownSoftware = {
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
}
