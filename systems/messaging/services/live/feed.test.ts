import { expect, it } from "vitest"
import { clientTurns } from "../../../platform/client-turns.ts"
import type { EventStream } from "../../../platform/http/event-stream.ts"
import type { MessagingContext } from "../../context.ts"
import { feed } from "./feed.ts"

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A service with more events than fit a page, which are read when they are told to. */
function serviceWithMuch() {
  const redis = { isUp: true, suspect: () => {} }
  const errors: string[] = []
  const ended: string[] = []
  let begun = 0
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const $steps = {
    eventsKept: async () => ["1-0", "900-0", 900, 1000],
    async eventsAfter() {
      begun += 1
      await isOver
      return Array.from({ length: 20 }, (_, i) => [`${100 + i}-0`, "message", "u:another", "{}"])
    },
  }
  const context = {
    db: { $steps },
    homes: { homeOfService: () => ({}) },
    log: { error: (event: string) => errors.push(event) },
    redis,
    settings: { eventsKept: 10_000, eventsTtl: 3600 },
  } as unknown as MessagingContext
  const audience = { of: async () => () => false }
  const inTurn = clientTurns({ parallel: 4, what: "readers" })
  const { follow } = feed(context, audience, { project: "456", service: "789" }, inTurn)
  const comeBack = (user: string) => {
    const stream = {
      isOpen: true,
      hasRoom: true,
      drained: async () => true,
      send: () => true,
      end: ({ data }: { data: { reason: string } }) => void ended.push(data.reason),
    }
    const listener = { principal: { user } as never, stream: stream as unknown as EventStream }
    return { stream, followed: follow({ ...listener, position: "1-0", isReady: false }) }
  }
  return { comeBack, redis, errors, ended, begun: () => begun, end }
}

it("of readers who come back, four read at once what they have missed, and those who wait hear at once that Redis is gone", async () => {
  const { comeBack, redis, errors, ended, begun, end } = serviceWithMuch()
  const readers = Array.from({ length: 50 }, (_, i) => comeBack(`u${i % 5}`))
  await settled()
  expect(begun()).toBe(4)
  redis.isUp = false
  end()
  await Promise.all(readers.map(({ followed }) => followed))
  expect(begun()).toBe(4)
  expect(ended).toEqual(Array.from({ length: 50 }, () => "unavailable"))
  expect(errors).toEqual([])
})

it("nothing is read for readers who left while they waited", async () => {
  const { comeBack, begun, end } = serviceWithMuch()
  const readers = Array.from({ length: 50 }, () => comeBack("u1"))
  await settled()
  for (const { stream } of readers) stream.isOpen = false
  end()
  await Promise.all(readers.map(({ followed }) => followed))
  expect(begun()).toBe(4)
})
