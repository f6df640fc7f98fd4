/* The stream of events of one page. What it has not read yet is bounded; when the page
 * goes, the stream ends, and with it what was watched for it alone. */

import type { Context } from "hono"
import { tooManyPages } from "../../errors/studio.ts"
import { eventText } from "./event-hub.ts"
import { Query } from "./request.ts"
import type { Studio } from "./studio.ts"

const MOST_PAGES = 30
const MOST_BYTES = 1_048_576

export function eventsAnswer(c: Context, studio: Studio): Response {
  const live = new Set((new Query(c).text("live") ?? "").split(",").filter((name) => name !== ""))
  for (const name of live) studio.part(name)
  if (studio.hub.size >= MOST_PAGES) throw tooManyPages()
  let leave = (): void => undefined
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string): boolean => {
          if ((controller.desiredSize ?? 0) <= 0) return false
          controller.enqueue(encoder.encode(text))
          return true
        }
        leave = studio.hub.subscribe({ live, write, end: () => controller.close() })
        // The page begins with whole states, and needs no second request for them.
        for (const { scan, audit } of studio.parts) {
          write(eventText("scan", scan.state))
          write(eventText("audit", audit.state))
        }
      },
      cancel: () => leave(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MOST_BYTES }),
  )
  c.req.raw.signal.addEventListener("abort", () => leave(), { once: true })
  return c.body(stream, 200, { "content-type": "text/event-stream", "x-accel-buffering": "no" })
}
