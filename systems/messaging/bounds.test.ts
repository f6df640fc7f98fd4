/* What users of the messenger may add has a bound. */

import { afterEach, expect, it } from "vitest"
import { onRealServer } from "../platform/testing/servers.ts"
import { messengerForTest, type Messenger, type Person } from "./messenger.cases.ts"

const MOST = 3

interface Adding {
  /** What is there before. */
  readonly prepare?: (app: Messenger, me: Person) => Promise<unknown>
  /** Adds the nth; its status. */
  readonly add: (me: Person, n: number) => Promise<number>
  /** 201 by default. */
  readonly done?: number
  /** The status of adding the first again. */
  readonly again?: number
}

const channels = async (app: Messenger, type: string, owner: string): Promise<void> => {
  for (let n = 0; n <= MOST; n++) await app.putChannel(`c${n}`, { type, owners: [owner], subscribers: [owner] })
}

const cases: Readonly<Record<string, Adding>> = {
  "contacts, who need not exist": {
    add: (me, n) => me.status("POST /v1/roc/contacts", { user: `nobody${n}` }),
    again: 201,
  },
  "bans of people": {
    add: (me, n) => me.status("POST /v1/roc/banned-contacts", { subscriber: `nobody${n}` }),
    again: 201,
  },
  "bans of channels": {
    prepare: (app) => channels(app, "public", "u2"),
    add: (me, n) => me.status("POST /v1/roc/banned-channels", { channel: `c${n}` }),
    again: 201,
  },
  "channels of their own": {
    add: (me, n) => me.status("POST /v1/roc/channels", { id: `own${n}`, name: "mine" }),
    again: 409,
  },
  "channels that they join": {
    prepare: (app) => channels(app, "public", "u2"),
    add: (me, n) => me.status("POST /v1/roc/invites", { channel: `c${n}` }),
    done: 200,
  },
  "requests to join": {
    prepare: (app) => channels(app, "private", "u2"),
    add: (me, n) => me.status("POST /v1/roc/invites", { channel: `c${n}` }),
  },
  "invitations of one person": {
    prepare: (app) => channels(app, "private", "u1"),
    add: (me, n) => me.status("POST /v1/roc/invites", { channel: `c${n}`, invitee: "u2" }),
  },
  "bans in their channel": {
    prepare: (app) => channels(app, "private", "u1"),
    add: (me, n) => me.status("POST /v1/roc/channels/c0/bans", { subscriber: `nobody${n}` }),
    done: 204,
    again: 204,
  },
}

onRealServer("users of the messenger", (server) => {
  let app: Messenger
  afterEach(() => app?.close())
  const bound = ["--set", `messaging.mostListed=${MOST}`, "--set", `messaging.mostPending=${MOST}`]
  const open = async (...args: string[]) => (app = await messengerForTest(server(), ...bound, ...args))

  const seen = async (me: Person) => [
    (await me.call("GET /v1/roc/me")).body,
    (await me.call("GET /v1/roc/contacts")).body,
    (await me.call("GET /v1/roc/invites")).body,
    (await me.call("GET /v1/roc/channels/c0/bans")).body,
  ]

  it.each(Object.entries(cases))("add only a limited number of %s", async (_, { prepare, add, done = 201, again }) => {
    await open()
    const me = await app.login("u1")
    await prepare?.(app, me)
    const added: number[] = []
    for (let n = 0; n < MOST; n++) added.push(await add(me, n))
    expect(added).toEqual([done, done, done])
    const before = await seen(me)
    expect(await add(me, MOST)).toBe(409)
    expect(await seen(me)).toEqual(before)
    if (again !== undefined) expect(await add(me, 0)).toBe(again)
  })

  it("add more when something is gone, none to a list of others that is full, and any number where limits are off", async () => {
    await open()
    const me = await app.login("u1")
    const add = (user: string) => me.status("POST /v1/roc/contacts", { user })
    await app.putUser("u2", { contacts: ["x", "y", "z"] })
    expect(await add("u2")).toBe(409)
    for (const user of ["a", "b", "c"]) expect(await add(user)).toBe(201)
    const { status, body } = await me.call("POST /v1/roc/contacts", { user: "d" })
    expect([status, body["error"]]).toEqual([409, "too_many"])
    expect(await me.status("DELETE /v1/roc/contacts/a")).toBe(204)
    expect([await add("d"), await add("e")]).toEqual([201, 409])
    await app.close()
    await open("--set", "messaging.limits=off")
    const free = await app.login("u1")
    for (const user of ["a", "b", "c", "d"]) expect(await free.status("POST /v1/roc/contacts", { user })).toBe(201)
  })
})
