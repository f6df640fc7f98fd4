/* MSG-31: what happens is published as it happens, in one process and across several. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { listenTo, type Ear } from "../platform/testing/listen-to.ts"
import { inShards } from "./shards.cases.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { onRealServer } from "../platform/testing/servers.ts"
import { commandsDuring } from "../platform/testing/stored.ts"
import { messengerForTest, X, type Messenger, type Person } from "./messenger.cases.ts"

const EVENTS = "keywright:messaging:events:456:789"

onAnyServerAndInFullOnCluster(
  "the messenger's streams of events",
  (server) => {
    let folder: string
    let both: readonly [Messenger, Messenger]
    const ears: Ear[] = []
    const open = async (...args: string[]) => {
      const start = () => messengerForTest(server(), "--database", `sqlite:${join(folder, "source.db")}`, ...args)
      both = [await start(), await start()]
    }
    const raw = (...command: (string | number)[]) => server().raw(...command)
    /** Reads the stream of somebody, by way of one of the two processes. */
    const listen = async ({ access }: Person, after?: string, at = 1): Promise<Ear> => {
      const headers = { authorization: `Token ${access}`, ...(after !== undefined && { "last-event-id": after }) }
      const ear = await listenTo(both[at]!.url, "/v1/roc/events", headers)
      ears.push(ear)
      if (ear.status === 200) await ear.until(({ event }) => event === "ready")
      return ear
    }
    const is = (kind: string, data: object) => (event: { event: string; data: object }) =>
      event.event === kind && Object.entries(data).every(([name, value]) => (event.data as never)[name] === value)
    /** A call that succeeds: an event would be waited for in vain otherwise. */
    const done = async (person: Person, request: string, body?: unknown) => {
      const answer = await person.call(request, body)
      expect([request, answer.status < 300]).toEqual([request, true])
      return answer
    }
    const kinds = ({ heard }: Ear) => heard.map(({ event }) => event).filter((event) => event !== "ready")
    const bodies = ({ heard }: Ear) =>
      heard.flatMap(({ event, data }) => (event === "message" ? [(data as { body: string }).body] : []))

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "messenger-"))
    })
    afterEach(async () => {
      for (const ear of ears.splice(0)) ear.close()
      await Promise.all(both.map((one) => one.close()))
      rmSync(folder, { recursive: true, force: true })
    })

    it("tells of messages to whom they are for, in the other process too, and to nobody else", async () => {
      await open()
      await both[0].putUser("u1", { contacts: ["u2"] })
      await both[0].putUser("u2", { contacts: ["u1"] })
      await both[0].putChannel("c1", { subscribers: ["u1", "u3"], owners: ["u1"] })
      await both[0].putUser("u3", { channels: ["c1"] })
      const [u1, u2, u3] = [await both[0].login("u1"), await both[0].login("u2"), await both[0].login("u3")] as const
      const [two, three] = [await listen(u2), await listen(u3)]
      expect(two.headers).toMatchObject({
        "content-type": "text/event-stream",
        "x-content-type-options": "nosniff",
        "x-request-id": expect.stringMatching(/./) as string,
      })
      await done(u1, "POST /v1/roc/messages", { receiver: "u2", body: "to you" })
      await done(u3, "POST /v1/roc/messages", { channel: "c1", body: "to all" })
      await two.until(is("message", { body: "to you", from: "u1", receiver: "u2" }))
      await three.until(is("message", { body: "to all", from: "u3", channel: "c1" }))
      expect([bodies(two), bodies(three)]).toEqual([["to you"], ["to all"]])
    })

    it("tells of presence to those who have somebody as a contact: a login, a status, its end and its expiry", async () => {
      await open()
      await both[0].putUser("u1", { contacts: ["u2"] })
      const u1 = await both[0].login("u1")
      const one = await listen(u1)
      const u2 = await both[0].login("u2")
      await one.until(is("presence", { user: "u2", behavioral_status: "online" }))
      await done(u2, "POST /v1/roc/status", { behavioral_status: "idle", status_message: "lunch" })
      await one.until(is("presence", { user: "u2", behavioral_status: "idle", status_message: "lunch" }))
      await done(u2, "POST /v1/roc/status", { behavioral_status: "idle", status_message: "lunch" })
      await done(u2, "DELETE /v1/auth/token")
      await one.until(is("presence", { user: "u2", behavioral_status: "offline" }))
      await both[1].login("u3")
      await both[0].login("u2")
      await raw("DEL", `${X}:St:u2`)
      await both[1].admin("POST /jobs/online/run")
      await one.until(({ data }) => (data as { user?: string }).user === "u2" && kinds(one).length === 5)
      expect(
        one.heard.filter(({ event }) => event === "presence").map(({ data }) => data["behavioral_status"]),
      ).toEqual(["online", "idle", "offline", "online", "offline"])
    })

    it("tells of invites and bans; who is banned is not told of the channel any more", async () => {
      await open()
      await both[0].putChannel("c1", { subscribers: ["u1", "u4"], owners: ["u1"], managers: ["u1"] })
      await both[0].putUser("u4", { channels: ["c1"] })
      await both[0].putUser("u1", { channels: ["c1"] })
      const [u1, u2, u4] = [await both[0].login("u1"), await both[0].login("u2"), await both[0].login("u4")] as const
      const [one, two, four] = [await listen(u1), await listen(u2), await listen(u4)]
      const asked = (await done(u2, "POST /v1/roc/invites", { channel: "c1" })).body["id"] as string
      await one.until(is("invite", { id: asked, kind: "join", invitee: "u2", state: "pending" }))
      await done(u1, `PUT /v1/roc/invites/${asked}`, { approve: "approved" })
      await two.until(is("invite", { id: asked, state: "approved" }))
      await done(u1, "POST /v1/roc/messages", { channel: "c1", body: "welcome" })
      await two.until(is("message", { body: "welcome" }))
      await done(u1, "POST /v1/roc/channels/c1/bans", { subscriber: "u2" })
      await two.until(is("ban", { channel: "c1", subscriber: "u2", banned: true }))
      await done(u1, "POST /v1/roc/messages", { channel: "c1", body: "without you" })
      await four.until(is("message", { body: "without you" }))
      expect(bodies(two)).toEqual(["welcome"])
      expect(bodies(await listen(u2, "0-1", 0))).toEqual([])
      expect(kinds(four)).toEqual(["message", "message"])
    })

    it("who takes the id of a deleted channel hears nothing of what happened in it, and its old members nothing of the new one", async () => {
      await open()
      const [alice, bob, eve] = await Promise.all(["alice", "bob", "eve"].map((user) => both[0].login(user)))
      const begin = (await listen(bob!)).heard.at(-1)!.id!
      const create = (person: Person, type: string) =>
        done(person, "POST /v1/roc/channels", { id: "board", name: "Board", type })
      await create(alice!, "invisible")
      const asked = (await done(alice!, "POST /v1/roc/invites", { channel: "board", invitee: "bob" })).body["id"]
      await done(bob!, `PUT /v1/roc/invites/${asked}`, { approve: "approved" })
      await done(alice!, "POST /v1/roc/messages", { channel: "board", body: "secret" })
      const heard = await listen(bob!, begin)
      await heard.until(is("message", { body: "secret" }))
      await done(alice!, "POST /v1/roc/channels/board/bans", { subscriber: "mallory" })
      // News that is told late, after the channel is another one.
      await raw("RENAME", EVENTS, `${EVENTS}:aside`)
      await raw("SET", EVENTS, "spoilt")
      await done(alice!, "POST /v1/roc/messages", { channel: "board", body: "told late" })
      await done(alice!, "DELETE /v1/roc/channels/board")
      await create(eve!, "public")
      await raw("DEL", EVENTS)
      await raw("RENAME", `${EVENTS}:aside`, EVENTS)
      await both[1].admin("POST /jobs/news/run")
      await both[1].admin("POST /jobs/news/run")
      await done(eve!, "POST /v1/roc/messages", { channel: "board", body: "mine" })
      for (const at of [0, 1]) {
        const ear = await listen(eve!, begin, at)
        await ear.until(is("message", { body: "mine" }))
        expect([bodies(ear), kinds(ear).filter((kind) => kind !== "presence")]).toEqual([["mine"], ["message"]])
      }
      expect(bodies(await listen(bob!, begin))).toEqual([])
      await done(bob!, "POST /v1/roc/invites", { channel: "board" })
      expect(bodies(await listen(bob!, begin))).toEqual(["mine"])
      expect(bodies(heard)).toEqual(["secret"])
    })

    it("a reader that comes back to another process with its last id has lost nothing and gets nothing twice", async () => {
      await open()
      const people = ["u1", "u2"]
      for (const user of people) await both[0].putUser(user, { contacts: people.filter((one) => one !== user) })
      const [u1, u2] = [await both[0].login("u1"), await both[0].login("u2")] as const
      const all: string[] = []
      const first = await listen(u2)
      let last = first.heard.at(-1)!.id
      first.close()
      let sent = 0
      const sending = (async () => {
        for (; sent < 120; sent++) await done(u1, "POST /v1/roc/messages", { receiver: "u2", body: `m${sent}` })
      })()
      for (let round = 0; all.length < 120; round++) {
        const ear = await listen(u2, last, round % 2)
        await Promise.race([ear.until(() => bodies(ear).length >= 7), sending])
        if (round > 30) await sending.then(() => ear.until(() => all.length + bodies(ear).length >= 120))
        ear.close()
        await ear.ended
        all.push(...bodies(ear))
        last = ear.heard.at(-1)?.id ?? last
      }
      await sending
      expect(all).toEqual(Array.from({ length: 120 }, (_, i) => `m${i}`))
    })

    it("what is not kept any more is said to be missing; an id of another time too", async () => {
      await open("--set", "messaging.eventsKept=5")
      await both[0].putUser("u1", { contacts: ["u2"] })
      const [u1, u2] = [await both[0].login("u1"), await both[0].login("u2")] as const
      const first = await listen(u2)
      const last = first.heard.at(-1)!.id!
      first.close()
      for (let i = 0; i < 4; i++) await done(u1, "POST /v1/roc/messages", { receiver: "u2", body: `m${i}` })
      expect(bodies(await listen(u2, last))).toEqual(["m0", "m1", "m2", "m3"])
      for (let i = 4; i < 12; i++) await done(u1, "POST /v1/roc/messages", { receiver: "u2", body: `m${i}` })
      expect(await raw("XLEN", EVENTS)).toBe(5)
      expect(kinds(await listen(u2, last))).toEqual(["gap"])
      expect(kinds(await listen(u2, "1-0"))).toEqual(["gap"])
      expect(kinds(await listen(u2, "99999999999999-0"))).toEqual(["gap"])
      for (const bad of ["x", "1", "1-", "-", "1-1-1", "9".repeat(30) + "-1"])
        expect((await listen(u2, bad)).status).toBe(400)
    })

    it("a stream ends with its token: logout, revocation, rotation, expiry; within a second", async () => {
      await open("--set", "messaging.accessTtl=2")
      const end = { event: "end", data: { reason: "token" } }
      const ways: readonly ((person: Person) => Promise<unknown>)[] = [
        (person) => person.call("DELETE /v1/auth/token"),
        () => both[0].admin("DELETE /v1/saas/tokens?project=456&service=789"),
        ({ refresh }) => both[0].exchange(refresh),
        ({ access }) => raw("DEL", `${X}:AccTok:${access}`),
        ({ access }) => raw("HDEL", "TokensKeys", access),
      ]
      for (const way of ways) {
        const person = await both[0].login("u1")
        const ear = await listen(person)
        await way(person)
        const since = performance.now()
        await ear.ended
        expect(performance.now() - since).toBeLessThan(1000 + (await pauses()))
        expect(ear.heard.at(-1)).toMatchObject(end)
      }
      const ear = await listen(await both[0].login("u1"))
      await ear.ended
      expect(ear.heard.at(-1)).toMatchObject(end)
    })

    it("a token of another service, none, and too many streams are refused", async () => {
      await open("--set", "messaging.streamsPerUser=2", "--set", "messaging.streams=3")
      const push = await both[0].login("u1", { service: "push" })
      expect((await listen(push)).status).toBe(403)
      expect((await listenTo(both[1].url, "/v1/roc/events", {})).status).toBe(401)
      const [u1, u2] = [await both[0].login("u1"), await both[0].login("u2")] as const
      expect([(await listen(u1)).status, (await listen(u1)).status, (await listen(u1)).status]).toEqual([200, 200, 429])
      expect((await listen(u1, undefined, 0)).status).toBe(200)
      expect([(await listen(u2)).status, (await listen(u2)).status]).toEqual([200, 503])
      ears[2]!.close()
      expect(
        (await both[1].call("HEAD /v1/roc/events", { token: u1.access }).catch(() => undefined))?.status ?? 200,
      ).toBe(200)
    })

    it("streams of one project hear nothing of another, whatever its ids are", async () => {
      await open()
      const other = { project: "457", tenant: "9" }
      const [u1, u2, spy] = [
        await both[0].login("u1"),
        await both[0].login("u2"),
        await both[0].login("u2", other),
      ] as const
      for (const user of ["u1", "u2"]) await both[0].putUser(user, { contacts: ["u1", "u2"] })
      const [two, hidden] = [await listen(u2), await listen(spy)]
      await done(u1, "POST /v1/roc/messages", { receiver: "u2", body: "secret" })
      await two.until(is("message", { body: "secret" }))
      await both[0].admin("PUT /source/457/789/users/u2", { contacts: ["u3"] })
      await both[0].login("u3", other)
      await hidden.until(is("presence", { user: "u3" }))
      expect(bodies(hidden)).toEqual([])
    })

    it("the end of the server is the end of its streams, at once", async () => {
      await open()
      const u1 = await both[0].login("u1")
      const ear = await listen(u1)
      const since = performance.now()
      await both[1].close()
      await ear.ended
      expect(ear.heard.at(-1)).toMatchObject({ event: "end", data: { reason: "shutdown" } })
      expect(performance.now() - since).toBeLessThan(2000 + (await pauses()))
    })

    it("what another hand left among the events does not stop those behind it", async () => {
      await open()
      const u1 = await both[0].login("u1")
      await both[0].putUser("u1", { contacts: ["u2"] })
      const ear = await listen(u1)
      await raw("XADD", EVENTS, "*", "kind", "nonsense", "data", "{}")
      await raw("XADD", EVENTS, "*", "kind", "message", "to", "u:u1", "data", "not json")
      await done(u1, "POST /v1/roc/messages", { receiver: "u2", body: "behind" })
      await ear.until(is("message", { body: "behind" }))
      expect(both[1].logged()).toContain("corrupt element")
    })

    it("news that nobody announced are announced by the job", async () => {
      await open()
      const u1 = await both[0].login("u1")
      await both[0].putUser("u1", { contacts: ["u2"] })
      const ear = await listen(u1)
      // The announcement fails; the change is made all the same.
      await raw("RENAME", EVENTS, `${EVENTS}:aside`)
      await raw("SET", EVENTS, "spoilt")
      const asked = await done(u1, "POST /v1/roc/contacts", { user: "u3" })
      expect(asked.status).toBe(201)
      await raw("DEL", EVENTS)
      await raw("RENAME", `${EVENTS}:aside`, EVENTS)
      expect((await both[0].admin("POST /jobs/news/run")).body).toEqual({ told: 0 })
      expect((await both[0].admin("POST /jobs/news/run")).body).toEqual({ told: 1 })
      await ear.until(({ event }) => event === "contact")
      expect((await both[0].admin("POST /jobs/news/run")).body).toEqual({ told: 0 })
    })
  },
  inShards,
)

onRealServer("the messenger's sweeper of who is online", (server) => {
  it("MSG-11: finds services without a SCAN of the database, also those that only tokens tell of", async () => {
    const app = await messengerForTest(server())
    const raw = server().raw
    try {
      await app.login("u1")
      await app.login("u2", { project: "457" })
      await raw("DEL", "keywright:messaging:services", `${X}:St:u1`, "P:457:S:789:St:u2")
      const sent = await commandsDuring(server(), async () => {
        expect((await app.admin("POST /jobs/online/run")).body).toEqual({ removed: 2 })
      })
      expect(sent.map(([name]) => name!.toUpperCase())).not.toContain("SCAN")
      expect(await raw("EXISTS", `${X}:OnSub`, "P:457:S:789:OnSub", "keywright:messaging:services")).toBe(0)
      await app.login("u3")
      expect(await raw("SMEMBERS", "keywright:messaging:services")).toEqual([`${X}:OnSub`])
    } finally {
      await app.close()
    }
  })
})

/** How long this machine itself is late at the moment, in milliseconds. */
async function pauses(): Promise<number> {
  let worst = 0
  for (let i = 0; i < 10; i++) {
    const since = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 10))
    worst = Math.max(worst, performance.now() - since - 10)
  }
  return 20 * worst
}
