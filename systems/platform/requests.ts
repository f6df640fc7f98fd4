/* What becomes of requests: a line of the access log for each, and counts by route and
 * status. Both are on the way of every request, so they do no more than they must: the
 * time is written once a millisecond, and counts become metrics when those are read. */

import type { Metrics } from "keywright"
import type { AnsweredRequest } from "./http/endpoint.ts"
import type { Log } from "./log.ts"

export interface Requests {
  /** Takes note of an answer of this system. */
  answeredBy(system: string): (request: AnsweredRequest) => void
  readonly contentType: string
  /** All metrics. */
  text(): Promise<string>
}

interface Count {
  readonly labels: { readonly system: string; readonly method: string; readonly route: string; readonly status: string }
  value: number
}

export function requestsOf(log: Log, metrics: Metrics): Requests {
  const total = metrics.counter("http_requests_total", "Requests, by system, route and status.")
  const counts: Map<string, Count>[] = []
  let [lastMs, at] = [0, ""]

  const time = (): string => {
    const ms = Date.now()
    if (ms !== lastMs) [lastMs, at] = [ms, new Date(ms).toISOString()]
    return at
  }
  return {
    answeredBy(system) {
      const own = new Map<string, Count>()
      counts.push(own)
      return ({ method, route, status, ms, id }) => {
        const name = `${method} ${route} ${status}`
        const count = own.get(name)
        if (count) count.value += 1
        else own.set(name, { labels: { system, method, route, status: String(status) }, value: 1 })
        log.line(
          `{"at":"${time()}","level":"info","event":"request","system":"${system}","method":"${method}","route":"${route}","status":${status},"ms":${Math.round(ms * 100) / 100},"id":"${id}"}`,
        )
      }
    },
    contentType: metrics.contentType,
    text() {
      for (const own of counts) {
        for (const { labels, value } of own.values()) total.add(labels, value)
        own.clear()
      }
      return metrics.text()
    },
  }
}
