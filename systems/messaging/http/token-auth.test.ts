/* Users who have much, and ask for all of it many times at once, keep nobody else waiting. */

import { expect, it } from "vitest"
import type { Principal } from "../services/scope.ts"
import { channelRoutes } from "./channels.ts"
import { contactRoutes } from "./contacts.ts"
import { inviteRoutes } from "./invites.ts"
import { messageRoutes } from "./messages.ts"
import { presenceRoutes } from "./presence.ts"
import { forTokens } from "./token-auth.ts"

const principal = (user: string): Principal => ({
  project: "456",
  service: "789",
  tenant: "123",
  account: "007",
  code: "roc",
  user,
  token: "t",
})
const redis = { isUp: true }
const callers = forTokens({} as never, redis)

it("of each user a few requests are served at once, and none that waited until Redis was gone", async () => {
  const begun: string[] = []
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const serve = (user: string) =>
    callers.inTurn(principal(user), async () => {
      begun.push(user)
      await isOver
    })
  const mine = Array.from({ length: 6 }, () => serve("u1"))
  const theirs = serve("u2")
  expect(begun).toEqual(["u1", "u1", "u1", "u1", "u2"])
  redis.isUp = false
  end()
  await theirs
  const outcomes = (await Promise.allSettled(mine)).map((one) => one.status === "rejected" && one.reason.code)
  expect(outcomes).toEqual([false, false, false, false, "redis_unavailable", "redis_unavailable"])
  redis.isUp = true
})

it("all routes take turns that read or change lists as a whole", () => {
  const routes = [contactRoutes, channelRoutes, inviteRoutes, messageRoutes, presenceRoutes].flatMap((make) =>
    make({} as never, callers),
  )
  const others = routes.flatMap(({ method, path, auth }) => (auth?.inTurn === undefined ? [`${method} ${path}`] : []))
  // Messages take turns by themselves (see below, and messages.test.ts), and statuses before a long list is read (presence.test.ts).
  expect(others.toSorted()).toEqual(["GET /v1/roc/status", "POST /v1/roc/messages", "POST /v1/roc/status"])
})

it("so do messages to channels, and those to people do not", async () => {
  const begun: string[] = []
  let end = () => {}
  const isOver = new Promise<string>((resolve) => (end = () => resolve("1")))
  const begin = (_: Principal, to: string) => {
    begun.push(to)
    return isOver
  }
  const [send] = messageRoutes({ sendToChannel: begin, sendToPerson: begin } as never, callers)
  const given = (to: object) => ({ caller: principal("u1"), body: { ...to, body: "x" } }) as never
  const sent = [
    ...Array.from({ length: 6 }, () => send!.handle(given({ channel: "c" }))),
    ...Array.from({ length: 6 }, () => send!.handle(given({ receiver: "u" }))),
  ]
  expect(begun.join("")).toBe("ccccuuuuuu")
  end()
  await Promise.all(sent)
  expect(begun).toHaveLength(12)
})
