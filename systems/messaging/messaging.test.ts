/* The acceptance scenarios of the messenger, through real HTTP, looked at by plain commands. */

import { afterEach, expect, it } from "vitest"
import { send } from "../platform/testing/serve.ts"
import { onBothServers } from "../platform/testing/servers.ts"
import { onCluster } from "../platform/testing/cluster-server.ts"
import { inShards } from "./shards.cases.ts"
import { allKeys, dump, misfits } from "../platform/testing/stored.ts"
import { messengerForTest, X, type Messenger, type Person } from "./messenger.cases.ts"
import { messaging as schema } from "./schema.ts"

/** On a cluster in the ordinary run too. */
const everywhere: typeof onBothServers = (title, body) => {
  onBothServers(title, body)
  onCluster(title, body, inShards)
}

everywhere("the messenger", (server) => {
  let app: Messenger
  afterEach(() => app?.close())
  const open = async (...args: string[]) => (app = await messengerForTest(server(), ...args))
  const raw = (...command: (string | number)[]) => server().raw(...command)
  const members = async (key: string) => ((await raw("SMEMBERS", `${X}:${key}`)) as string[]).sort()
  const list = (user: string) => raw("LRANGE", `${X}:C:${user}`, 0, -1)
  const statuses = async (me: Person) => (await me.call("GET /v1/roc/status")).body["statuses"] as object[]
  const FAMILY = ["", ":Sub", ":Own", ":Man", ":BanSub", ":JR", ":Inv"]
  const family = (channel: string) => FAMILY.map((suffix) => `${X}:Ch:${channel}${suffix}`)

  it("MSG-8 MSG-9 MSG-10: a status is written with OnSub, read as it is, and gone with it", async () => {
    await open()
    const me = await app.login("u1")
    const posted = await me.call("POST /v1/roc/status", {
      behavioral_status: "online",
      status_intentional: "busy",
      status_message: "in a meeting 🙂",
    })
    expect(posted.body).toMatchObject({ user: "u1", behavioral_status: "online", status_message: "in a meeting 🙂" })
    expect(await raw("TYPE", `${X}:St:u1`)).toBe("hash")
    expect(await raw("TTL", `${X}:St:u1`)).toBeGreaterThan(590)
    expect(await raw("SISMEMBER", `${X}:OnSub`, "u1")).toBe(1)
    expect(await raw("TTL", `${X}:OnSub`)).toBe(-1)

    await raw("EXPIRE", `${X}:St:u1`, 100)
    expect(await statuses(me)).toMatchObject([{ user: "u1", behavioral_status: "online", status_intentional: "busy" }])
    expect(await raw("TTL", `${X}:St:u1`)).toBeLessThanOrEqual(100)
    await app.exchange(me.refresh)
    expect(await raw("TTL", `${X}:St:u1`)).toBeGreaterThan(590)
    expect(await raw("HGET", `${X}:St:u1`, "status_intentional")).toBe("busy")

    const again = await app.login("u1")
    expect((await again.call("POST /v1/roc/status", { behavioral_status: "idle" })).body["behavioral_status"]).toBe(
      "idle",
    )
    expect(await raw("SISMEMBER", `${X}:OnSub`, "u1")).toBe(1)
    expect((await again.call("POST /v1/roc/status", { behavioral_status: "offline" })).body).toEqual({
      user: "u1",
      behavioral_status: "offline",
    })
    expect(await raw("EXISTS", `${X}:St:u1`, `${X}:OnSub`)).toBe(0)
    const before = await dump(raw)
    expect(await statuses(again)).toEqual([{ user: "u1", behavioral_status: "offline" }])
    expect(await dump(raw)).toEqual(before)
  })

  it("MSG-11: a status that expired is offline at once, and leaves OnSub with the sweep or the next look", async () => {
    await open()
    const [me] = await Promise.all(["u1", "u2", "u3"].map((user) => app.login(user)))
    const expire = async (user: string) => {
      await raw("PEXPIRE", `${X}:St:${user}`, 1)
      while ((await raw("EXISTS", `${X}:St:${user}`)) === 1) continue
    }
    await expire("u1")
    expect(await statuses(me!)).toEqual([{ user: "u1", behavioral_status: "offline" }])
    expect(await raw("SISMEMBER", `${X}:OnSub`, "u1")).toBe(1)
    expect((await app.admin("POST /jobs/online/run")).body).toEqual({ removed: 1 })
    expect(await members("OnSub")).toEqual(["u2", "u3"])
    await expire("u2")
    await raw("SADD", `${X}:OnSub`, "not an id")
    expect((await me!.call("GET /v1/roc/online")).body).toEqual({ subscribers: ["u3"] })
    expect(await members("OnSub")).toEqual(["not an id", "u3"])
    expect((await me!.call("GET /v1/roc/online")).body).toEqual({ subscribers: ["u3"] })
    // Counted each time, and logged once a minute.
    await expect.poll(() => app.logged().match(/corrupt element/g)).toHaveLength(1)
  })

  it("MSG-10: own status first, then those of people among the contacts, whatever one of them holds", async () => {
    await open()
    await app.putUser("u1", { contacts: ["u2", "u3", "u4"], channels: ["c"] })
    const me = await app.login("u1")
    await app.login("u3")
    await raw("SET", `${X}:St:u2`, "no hash")
    expect(await statuses(me)).toMatchObject([
      { user: "u1", behavioral_status: "online" },
      { user: "u3", behavioral_status: "online" },
      { user: "u4", behavioral_status: "offline" },
    ])
    await raw("DEL", `${X}:St:u1`)
    await raw("SET", `${X}:St:u1`, "no hash")
    const { status, body } = await me.call("GET /v1/roc/status")
    expect([status, body["error"], body["details"]]).toEqual([500, "wrong_type", { key: `${X}:St:u1` }])
  })

  it("MSG-10: those who have many contacts take turns, and get every answer", async () => {
    await open()
    await app.putUser("u1", { contacts: Array.from({ length: 150 }, (_, i) => `p${i}`) })
    const me = await app.login("u1")
    const all = await Promise.all(Array.from({ length: 40 }, () => statuses(me)))
    expect(all.map((one) => one.length)).toEqual(all.map(() => 151))
  })

  it("MSG-18: a contact list is built from the source, people first, and decides who may be written to", async () => {
    await open()
    await app.putUser("u1", { contacts: ["1", "2", "3"], channels: ["1"] })
    const me = await app.login("u1")
    const cold = await dump(raw)
    expect(await me.status("POST /v1/roc/messages", { receiver: "9", body: "hello" })).toBe(403)
    expect(await dump(raw)).toEqual(cold)
    expect((await me.call("GET /v1/roc/contacts")).body).toEqual({ contacts: ["1", "2", "3"], channels: ["1"] })
    expect(await list("u1")).toEqual(["u_1", "u_2", "u_3", "c_1"])
    expect(await raw("TTL", `${X}:C:u1`)).toBe(-1)
    expect(await me.status("POST /v1/roc/messages", { receiver: "9", body: "hello" })).toBe(403)
    await raw("EXPIRE", `${X}:St:u1`, 100)
    expect(await me.status("POST /v1/roc/messages", { receiver: "2", body: "hello" })).toBe(202)
    expect(await raw("TTL", `${X}:St:u1`)).toBeGreaterThan(590)
    await raw("RPUSH", `${X}:C:u1`, "x_7")
    expect((await me.call("GET /v1/roc/contacts")).body).toEqual({ contacts: ["1", "2", "3"], channels: ["1"] })
    await app.putUser("u1", { contacts: [], channels: [] })
    expect((await me.call("GET /v1/roc/contacts")).body).toEqual({ contacts: [], channels: [] })
    expect(await raw("EXISTS", `${X}:C:u1`)).toBe(0)
  })

  it("MSG-19: contacts are mutual, each once, in order of arrival", async () => {
    await open()
    await app.putUser("u1", { contacts: ["5"], channels: ["7"] })
    const [me, other] = [await app.login("u1"), await app.login("u2")]
    await me.call("GET /v1/roc/contacts")
    await me.call("GET /v1/roc/me")
    expect(await me.status("POST /v1/roc/contacts", { user: "u2" })).toBe(201)
    expect(await me.status("POST /v1/roc/contacts", { user: "u2" })).toBe(201)
    expect(await list("u1")).toEqual(["u_5", "c_7", "u_u2"])
    expect(await members("Sub:u1:C")).toEqual(["5", "u2"])
    expect(await raw("EXISTS", `${X}:C:u2`, `${X}:Sub:u2:C`)).toBe(0)
    expect((await other.call("GET /v1/roc/contacts")).body).toEqual({ contacts: ["u1"], channels: [] })
    expect(await me.status("POST /v1/roc/contacts", { user: "u1" })).toBe(400)
    expect(await other.status("DELETE /v1/roc/contacts/u1")).toBe(204)
    expect(await list("u1")).toEqual(["u_5", "c_7"])
    expect(await list("u2")).toEqual([])
    expect(await members("Sub:u1:C")).toEqual(["5"])
    const before = await dump(raw)
    expect(await other.status("DELETE /v1/roc/contacts/u1")).toBe(404)
    expect(await dump(raw)).toEqual(before)
  })

  it("MSG-27: a ban between people ends the contact, and prevents another", async () => {
    await open()
    const [me, other] = [await app.login("u1"), await app.login("u2")]
    await me.call("POST /v1/roc/contacts", { user: "u2" })
    expect(await me.status("POST /v1/roc/messages", { receiver: "u2", body: "hello" })).toBe(202)
    expect(await other.status("POST /v1/roc/banned-contacts", { subscriber: "u1" })).toBe(201)
    expect(await members("Sub:u2:BanSub")).toEqual(["u1"])
    expect((await other.call("GET /v1/roc/banned-contacts")).body).toEqual({ subscribers: ["u1"] })
    expect((await me.call("GET /v1/roc/contacts")).body).toEqual({ contacts: [], channels: [] })
    for (const [person, target] of [
      [me, "u2"],
      [other, "u1"],
    ] as const) {
      expect(await person.status("POST /v1/roc/contacts", { user: target })).toBe(403)
      expect(await person.status("POST /v1/roc/messages", { receiver: target, body: "x" })).toBe(403)
    }
    await app.putUser("u1", { contacts: ["u2"] })
    expect((await me.call("POST /v1/roc/messages", { receiver: "u2", body: "x" })).body["error"]).toBe("banned")
    expect(await other.status("DELETE /v1/roc/banned-contacts/u1")).toBe(204)
    expect(await other.status("DELETE /v1/roc/banned-contacts/u1")).toBe(404)
    expect(await me.status("POST /v1/roc/messages", { receiver: "u2", body: "x" })).toBe(202)
    expect(await me.status("POST /v1/roc/banned-contacts", { subscriber: "u1" })).toBe(400)
  })

  it("MSG-14 MSG-15: asking for messages loads the whole channel with one deadline, and moves it", async () => {
    await open()
    const row = { subscribers: ["1", "2", "3", "4"], owners: ["1"], managers: ["1", "4"], banned: ["9", "10"] }
    await app.putChannel("123456", { ...row, lastMessage: "the last" })
    const me = await app.login("1")
    expect(await me.status("GET /v1/roc/messages?channel=123456")).toBe(200)
    const loaded = family("123456").slice(0, 5)
    expect(await raw("EXISTS", ...loaded)).toBe(5)
    expect(await raw("EXISTS", ...family("123456").slice(5))).toBe(0)
    expect(await members("Ch:123456:BanSub")).toEqual(["10", "9"])
    const fields = ["name", "News", "description", "New events.", "type", "private", "lastMessage", "the last"]
    expect(await raw("HGETALL", `${X}:Ch:123456`)).toEqual(fields)
    const deadlines = async () => new Set(await Promise.all(loaded.map((key) => raw("PEXPIRETIME", key))))
    expect((await deadlines()).size).toBe(1)
    expect(await raw("TTL", loaded[0]!)).toBeLessThanOrEqual(10_800)

    await Promise.all(loaded.map((key) => raw("PEXPIRE", key, 5_000_000)))
    expect(await me.status("GET /v1/roc/channels/123456")).toBe(200)
    expect(await raw("TTL", loaded[0]!)).toBeLessThanOrEqual(5000)
    expect(await me.status("GET /v1/roc/messages?channel=123456")).toBe(200)
    expect(await raw("TTL", loaded[0]!)).toBeGreaterThan(10_790)
    expect((await deadlines()).size).toBe(1)

    await raw("DEL", loaded[0]!)
    await raw("SREM", `${X}:Ch:123456:Sub`, "2")
    expect(await me.status("GET /v1/roc/channels/123456")).toBe(200)
    expect(await members("Ch:123456:Sub")).toEqual(["1", "2", "3", "4"])

    const before = await dump(raw)
    expect(await me.status("GET /v1/roc/messages?channel=nowhere")).toBe(404)
    expect(await me.status("GET /v1/roc/channels/nowhere")).toBe(404)
    expect(await dump(raw)).toEqual(before)
  })

  it("MSG-17: a subscriber is one family; a set that is absent is read from the source", async () => {
    await open()
    await app.putUser("u1", { contacts: ["2", "3"], channels: ["7"], bannedChannels: ["8"], bannedSubscribers: ["9"] })
    const me = await app.login("u1")
    const all = {
      contacts: ["2", "3"],
      channels: ["7"],
      bannedChannels: ["8"],
      bannedSubscribers: ["9"],
      invites: [],
      joinRequests: [],
    }
    expect((await me.call("GET /v1/roc/me")).body).toEqual(all)
    const keys = ["C", "Ch", "BanCh", "BanSub"].map((set) => `${X}:Sub:u1:${set}`)
    expect(await raw("EXISTS", ...keys)).toBe(4)
    expect(new Set(await Promise.all(keys.map((key) => raw("PEXPIRETIME", key)))).size).toBe(1)
    await raw("DEL", keys[0]!)
    expect((await me.call("GET /v1/roc/me")).body).toEqual(all)
    expect(await members("Sub:u1:C")).toEqual(["2", "3"])
    await raw("SADD", keys[1]!, "no id!")
    expect((await me.call("GET /v1/roc/me")).body).toEqual(all)
    await raw("DEL", keys[2]!)
    await raw("SET", keys[2]!, "no set")
    expect((await me.call("GET /v1/roc/me")).body["error"]).toBe("wrong_type")
  })

  it("MSG-20: a channel is created, changed by managers, and deleted by owners with all that anybody has", async () => {
    await open()
    const [owner, other] = [await app.login("u1"), await app.login("u2")]
    await app.putUser("u1", { contacts: ["u2"] })
    await owner.call("GET /v1/roc/contacts")
    const made = await owner.call("POST /v1/roc/channels", { id: "room", name: "Room", type: "public" })
    expect([made.status, made.body]).toEqual([201, { id: "room" }])
    expect(await list("u1")).toEqual(["u_u2", "c_room"])
    expect(await owner.status("POST /v1/roc/channels", { id: "room", name: "Room" })).toBe(409)
    expect(await other.status("POST /v1/roc/invites", { channel: "room" })).toBe(200)
    expect((await other.call("GET /v1/roc/channels")).body).toEqual({
      channels: [{ id: "room", name: "Room", type: "public" }],
    })
    expect(await other.status("PUT /v1/roc/channels/room", { name: "Mine" })).toBe(403)
    const changed = await owner.call("PUT /v1/roc/channels/room", { name: "Hall", type: "private" })
    expect(changed.body).toMatchObject({ id: "room", name: "Hall", description: "", type: "private", owners: ["u1"] })
    expect(await raw("HMGET", `${X}:Ch:room`, "name", "type")).toEqual(["Hall", "private"])
    await owner.call("POST /v1/roc/invites", { channel: "room", invitee: "u3" })
    expect(await raw("SCARD", `${X}:Sub:u3:Inv`)).toBe(1)
    expect(await other.status("DELETE /v1/roc/channels/room")).toBe(403)
    expect(await owner.status("DELETE /v1/roc/channels/room")).toBe(204)
    expect(await raw("EXISTS", ...family("room"), `${X}:Sub:u3:Inv`, `${X}:Sub:u2:Ch`)).toBe(0)
    expect([await list("u1"), await list("u2")]).toEqual([["u_u2"], []])
    expect(await owner.status("GET /v1/roc/channels/room")).toBe(404)
    expect(await owner.status("DELETE /v1/roc/channels/room")).toBe(404)
  })

  it("MSG-21 MSG-23 MSG-26: a request to join is approved once; a ban takes everything back", async () => {
    await open()
    const [manager, s5, stranger] = [await app.login("u1"), await app.login("s5"), await app.login("s6")]
    await manager.call("POST /v1/roc/channels", { id: "club", name: "Club", type: "private" })
    const asked = await s5.call("POST /v1/roc/invites", { channel: "club" })
    const id = asked.body["id"] as string
    expect(asked.status).toBe(201)
    expect([await members("Ch:club:JR"), await members("Sub:s5:JR")]).toEqual([[id], [id]])
    expect((await s5.call("GET /v1/roc/invites")).body).toEqual({
      invites: [{ id, channel: "club", invitee: "s5", by: "s5", kind: "join" }],
    })
    const before = await dump(raw)
    expect(await s5.status("POST /v1/roc/invites", { channel: "club" })).toBe(409)
    expect(await s5.status(`PUT /v1/roc/invites/${id}`, { approve: "approved" })).toBe(403)
    expect(await stranger.status(`PUT /v1/roc/invites/${id}`, { approve: "approved" })).toBe(403)
    expect(await stranger.status(`GET /v1/roc/invites/${id}`)).toBe(403)
    expect(await manager.status(`DELETE /v1/roc/invites/${id}`)).toBe(403)
    expect(await s5.status("POST /v1/roc/messages", { channel: "club", body: "x" })).toBe(403)
    expect(await dump(raw)).toEqual(before)

    expect(await manager.status(`PUT /v1/roc/invites/${id}`, { approve: "approved" })).toBe(200)
    expect(await raw("EXISTS", `${X}:Ch:club:JR`, `${X}:Sub:s5:JR`)).toBe(0)
    expect([await members("Ch:club:Sub"), await members("Sub:s5:Ch"), await list("s5")]).toEqual([
      ["s5", "u1"],
      ["club"],
      ["c_club"],
    ])
    expect(await manager.status(`PUT /v1/roc/invites/${id}`, { approve: "approved" })).toBe(404)
    expect(await s5.status("POST /v1/roc/invites", { channel: "club" })).toBe(409)
    expect(await s5.status("POST /v1/roc/messages", { channel: "club", body: "hello" })).toBe(202)
    expect(await raw("HGET", `${X}:Ch:club`, "lastMessage")).toBe("hello")

    expect(await s5.status("POST /v1/roc/channels/club/bans", { subscriber: "u1" })).toBe(403)
    expect(await manager.status("POST /v1/roc/channels/club/bans", { subscriber: "u1" })).toBe(409)
    expect(await manager.status("POST /v1/roc/channels/club/bans", { subscriber: "s5" })).toBe(204)
    expect([await members("Ch:club:BanSub"), await members("Ch:club:Sub"), await list("s5")]).toEqual([
      ["s5"],
      ["u1"],
      [],
    ])
    expect(await raw("SISMEMBER", `${X}:Sub:s5:Ch`, "club")).toBe(0)
    for (const request of ["GET /v1/roc/channels/club", "GET /v1/roc/messages?channel=club"])
      expect(await s5.status(request)).toBe(403)
    expect(await s5.status("POST /v1/roc/messages", { channel: "club", body: "x" })).toBe(403)
    expect(await s5.status("POST /v1/roc/invites", { channel: "club" })).toBe(403)
    expect((await manager.call("GET /v1/roc/channels/club/bans")).body).toEqual({ banned: ["s5"] })
    expect(await manager.status("DELETE /v1/roc/channels/club/bans/s5")).toBe(204)
    expect(await manager.status("DELETE /v1/roc/channels/club/bans/s5")).toBe(404)
    expect(await s5.status("POST /v1/roc/invites", { channel: "club" })).toBe(201)
  })

  it("MSG-22 MSG-24: an invitation is answered by the invitee, or cancelled by who made it", async () => {
    await open()
    const [owner, guest] = [await app.login("u1"), await app.login("u2")]
    await owner.call("POST /v1/roc/channels", { id: "den", name: "Den", type: "invisible" })
    expect(await guest.status("GET /v1/roc/channels/den")).toBe(404)
    expect(await guest.status("POST /v1/roc/invites", { channel: "den" })).toBe(404)
    expect(await guest.status("POST /v1/roc/messages", { channel: "den", body: "x" })).toBe(404)
    const invite = async () =>
      (await owner.call("POST /v1/roc/invites", { channel: "den", invitee: "u2" })).body["id"] as string
    const first = await invite()
    expect([await members("Ch:den:Inv"), await members("Sub:u2:Inv")]).toEqual([[first], [first]])
    expect((await guest.call("GET /v1/roc/me")).body["invites"]).toEqual([first])
    expect((await guest.call(`GET /v1/roc/invites/${first}`)).body).toEqual({
      id: first,
      channel: "den",
      invitee: "u2",
      by: "u1",
      kind: "invite",
    })
    expect(await guest.status(`DELETE /v1/roc/invites/${first}`)).toBe(403)
    expect(await owner.status(`PUT /v1/roc/invites/${first}`, { approve: "approved" })).toBe(403)
    expect(await owner.status(`DELETE /v1/roc/invites/${first}`)).toBe(204)
    expect(await raw("EXISTS", `${X}:Ch:den:Inv`, `${X}:Sub:u2:Inv`)).toBe(0)
    expect(await guest.status(`PUT /v1/roc/invites/${first}`, { approve: "approved" })).toBe(404)

    const second = await invite()
    expect(await guest.status(`PUT /v1/roc/invites/${second}`, { approve: "rejected" })).toBe(200)
    expect(await raw("EXISTS", `${X}:Ch:den:Inv`, `${X}:Sub:u2:Inv`)).toBe(0)
    expect(await members("Ch:den:Sub")).toEqual(["u1"])
    expect(await guest.status(`PUT /v1/roc/invites/${await invite()}`, { approve: "approved" })).toBe(200)
    expect(await members("Ch:den:Sub")).toEqual(["u1", "u2"])
    expect(await guest.status("POST /v1/roc/invites", { channel: "den", invitee: "u3" })).toBe(403)
    expect(await owner.status("POST /v1/roc/invites", { channel: "den", invitee: "u2" })).toBe(409)
  })

  it("MSG-25 MSG-27: people leave or are removed; the last owner cannot", async () => {
    await open()
    const [owner, guest, third] = [await app.login("u1"), await app.login("u2"), await app.login("u3")]
    await owner.call("POST /v1/roc/channels", { id: "room", name: "Room" })
    for (const one of [guest, third]) await one.call("POST /v1/roc/invites", { channel: "room" })
    expect(await owner.status("PUT /v1/roc/channels/room/managers/u2")).toBe(204)
    expect(await owner.status("PUT /v1/roc/channels/room/managers/u9")).toBe(404)
    expect(await guest.status("PUT /v1/roc/channels/room/managers/u3")).toBe(403)
    expect(await members("Ch:room:Man")).toEqual(["u1", "u2"])
    expect(await third.status("DELETE /v1/roc/channels/room/subscribers/u2")).toBe(403)
    expect(await guest.status("DELETE /v1/roc/channels/room/subscribers/u1")).toBe(409)
    expect(await owner.status("DELETE /v1/roc/channels/room/subscribers/u1")).toBe(409)
    expect(await guest.status("DELETE /v1/roc/channels/room/subscribers/u3")).toBe(204)
    expect(await guest.status("DELETE /v1/roc/channels/room/subscribers/u3")).toBe(404)
    expect([await members("Ch:room:Sub"), await list("u3")]).toEqual([["u1", "u2"], []])
    expect(await guest.status("DELETE /v1/roc/channels/room/subscribers/u2")).toBe(204)
    expect([await members("Ch:room:Man"), await members("Ch:room:Sub"), await list("u2")]).toEqual([["u1"], ["u1"], []])
    expect(await owner.status("DELETE /v1/roc/channels/room/managers/u1")).toBe(204)
    expect(await owner.status("DELETE /v1/roc/channels/room/managers/u1")).toBe(404)

    await guest.call("POST /v1/roc/invites", { channel: "room" })
    expect(await guest.status("POST /v1/roc/banned-channels", { channel: "room" })).toBe(201)
    expect([await members("Sub:u2:BanCh"), await members("Ch:room:Sub")]).toEqual([["room"], ["u1"]])
    expect((await guest.call("GET /v1/roc/banned-channels")).body).toEqual({ channels: ["room"] })
    expect(await guest.status("POST /v1/roc/invites", { channel: "room" })).toBe(403)
    expect(await owner.status("POST /v1/roc/banned-channels", { channel: "room" })).toBe(409)
    expect(await guest.status("POST /v1/roc/banned-channels", { channel: "nowhere" })).toBe(404)
    expect(await guest.status("DELETE /v1/roc/banned-channels/room")).toBe(204)
    expect(await guest.status("POST /v1/roc/invites", { channel: "room" })).toBe(200)
  })

  it("MSG-28: who sees what of a channel", async () => {
    await open()
    await app.putChannel("c", { subscribers: ["1", "2"], owners: ["1"], managers: [], banned: ["9"], lastMessage: "x" })
    const [owner, guest, stranger, outcast] = await Promise.all(["1", "2", "3", "9"].map((user) => app.login(user)))
    const fields = async (person: Person) => Object.keys((await person.call("GET /v1/roc/channels/c")).body).sort()
    const outside = ["description", "id", "name", "type"]
    const inside = [...outside, "lastMessage", "managers", "owners", "subscribers"].sort()
    expect(await fields(stranger!)).toEqual(outside)
    expect(await fields(guest!)).toEqual(inside)
    expect(await fields(owner!)).toEqual([...inside, "banned", "invites", "joinRequests"].sort())
    expect(await outcast!.status("GET /v1/roc/channels/c")).toBe(403)
    expect(await stranger!.status("GET /v1/roc/channels/c/subscribers")).toBe(403)
    expect((await guest!.call("GET /v1/roc/channels/c/subscribers")).body).toEqual({ subscribers: ["1", "2"] })
    expect(await guest!.status("GET /v1/roc/channels/c/bans")).toBe(403)
  })

  it("MSG-29 MSG-30: messages have one target, and are listed in pages, the newest first", async () => {
    await open()
    await app.putUser("u1", { contacts: ["u2"] })
    await app.putUser("u2", { contacts: ["u1"] })
    const [me, other] = [await app.login("u1"), await app.login("u2")]
    const before = await dump(raw)
    for (const body of [
      { body: "x" },
      { receiver: "u2", channel: "c", body: "x" },
      { receiver: "u2", body: "" },
      { receiver: "u2", body: "x".repeat(1025) },
      { receiver: "u2", body: "\0" },
      { receiver: "u2", body: 7 },
      { receiver: "u2:x", body: "x" },
    ])
      expect(await me.status("POST /v1/roc/messages", body)).toBe(400)
    expect(await dump(raw)).toEqual(before)
    for (let i = 1; i <= 7; i++) {
      const sender = i % 2 === 0 ? me : other
      const receiver = sender === me ? "u2" : "u1"
      const sent = await sender.call("POST /v1/roc/messages", { receiver, body: `m${i}`, from: "me", at: "now" })
      expect(sent.status).toBe(202)
    }
    expect(await me.status("POST /v1/roc/messages", { receiver: "u2", body: "🙂".repeat(1024) })).toBe(202)
    type Page = { messages: { id: string; from: string; body: string; at: string }[]; next?: string }
    const read = async (person: Person, query: string) =>
      (await person.call(`GET /v1/roc/messages?${query}`)).body as Page
    const first = await read(me, "subscriber=u2&limit=4")
    expect(first.messages.map(({ body }) => body.slice(0, 2))).toEqual(["🙂", "m7", "m6", "m5"])
    expect(first.messages[1]).toMatchObject({ from: "u2", at: expect.stringMatching(/^\d{4}-/) })
    const rest = await read(other, `subscriber=u1&limit=4&cursor=${first.next}`)
    expect([rest.messages.map(({ body }) => body), rest.next]).toEqual([["m4", "m3", "m2", "m1"], undefined])
    expect(await me.status("GET /v1/roc/messages")).toBe(400)
    expect(await me.status("GET /v1/roc/messages?channel=a&subscriber=b")).toBe(400)
    expect(await me.status("GET /v1/roc/messages?subscriber=u2&cursor=x")).toBe(400)
    expect(await me.status("GET /v1/roc/messages?subscriber=u9")).toBe(403)

    await app.putChannel("a", { type: "private-announcement", subscribers: ["u1", "u2"], owners: ["u1"] })
    expect(await other.status("POST /v1/roc/messages", { channel: "a", body: "x" })).toBe(403)
    expect(await me.status("POST /v1/roc/messages", { channel: "a", body: "news" })).toBe(202)
    expect((await read(other, "channel=a")).messages).toMatchObject([{ from: "u1", body: "news" }])
    expect((await other.call("GET /v1/roc/channels/a")).body["lastMessage"]).toBe("news")
  })

  it("ALL-9 MSG-30: pages continue at any time that the clock can show", async () => {
    for (const clock of ["1960-01-01T00:00:00Z", "9999-12-31T23:59:00Z"]) {
      await open("--clock", clock)
      await app.putUser("u1", { contacts: ["u2"] })
      const me = await app.login("u1")
      for (const body of ["m1", "m2", "m3"]) await me.call("POST /v1/roc/messages", { receiver: "u2", body })
      const page = "GET /v1/roc/messages?subscriber=u2&limit=2"
      const { next } = (await me.call(page)).body
      expect((await me.call(`${page}&cursor=${next as string}`)).body).toMatchObject({
        messages: [{ body: "m1", at: expect.stringContaining(clock.slice(0, 16)) }],
      })
      await app.close()
    }
  })

  it("MSG-32: push credentials go in, and never come out", async () => {
    await open()
    const path = "/v1/projects/456/push-credentials"
    const pem = "-----BEGIN CERTIFICATE-----\nQ0FOQVJZ\n-----END CERTIFICATE-----\n"
    const given = { googleServerKey: "canary-server-key", googleProjectNumber: "31415926", apnsCertificate: pem }
    expect((await app.admin(`GET ${path}`)).body).toEqual({})
    const put = await app.admin(`PUT ${path}`, given)
    const masked = { googleServerKey: "********", googleProjectNumber: "********", apnsCertificate: "********" }
    expect([put.body, (await app.admin(`GET ${path}`)).body]).toEqual([masked, masked])
    expect([await raw("GET", "P:456:PGSK"), await raw("GET", "P:456:PGPN"), await raw("GET", "P:456:PAPC")]).toEqual(
      Object.values(given),
    )
    expect(await raw("TTL", "P:456:PAPC")).toBe(-1)
    const before = await dump(raw)
    for (const body of [
      {},
      { googleProjectNumber: "12a" },
      { googleProjectNumber: 12 },
      { apnsCertificate: "no PEM" },
      { apnsCertificate: pem.replace("END CERTIFICATE", "END KEY") },
      { googleServerKey: "" },
      { other: "x" },
    ])
      expect((await app.admin(`PUT ${path}`, body)).status).toBe(400)
    expect((await app.admin("GET /v1/projects/4:5/push-credentials")).status).toBe(400)
    expect(await dump(raw)).toEqual(before)
    expect((await app.admin(`DELETE ${path}`)).status).toBe(204)
    expect(await allKeys(raw)).toEqual([])
    expect((await send(app.url, `GET ${path}`)).status).toBe(401)
  })

  it("MSG-33: a token opens its own service, and nothing of another", async () => {
    await open()
    await app.putChannel("c", { type: "public", subscribers: ["u1"], owners: ["u1"] })
    const me = await app.login("u1")
    const stranger = await app.login("u1", { project: "457" })
    await me.call("GET /v1/roc/messages?channel=c")
    const before = await dump(raw)
    for (const request of ["GET /v1/roc/channels/c", "GET /v1/roc/messages?channel=c", "DELETE /v1/roc/channels/c"])
      expect(await stranger.status(request)).toBe(404)
    expect(await stranger.status("POST /v1/roc/invites", { channel: "c" })).toBe(404)
    expect(await stranger.status("POST /v1/roc/messages", { channel: "c", body: "x" })).toBe(404)
    expect(await dump(raw)).toEqual(before)
    for (const id of ["c:Sub", "a%20b", "%2A", "x".repeat(65), "a%00"])
      expect(await me.status(`GET /v1/roc/channels/${id}`)).toBe(400)
    for (const user of ["1:BanSub", "", "*", "a b", "x".repeat(65), "ü"])
      expect(await me.status("POST /v1/roc/contacts", { user })).toBe(400)
    expect(await dump(raw)).toEqual(before)
  })

  it("ALL-2 MSG-K: every key is one that the schema declares, with its type and TTL", async () => {
    await open("--demo")
    await app.putUser("u1", { contacts: ["2"], channels: ["123456"], bannedSubscribers: ["7"], bannedChannels: ["8"] })
    const [me, other] = [await app.login("u1"), await app.login("u2")]
    await app.issue("u3")
    await me.call("GET /v1/roc/me")
    await me.call("POST /v1/roc/status", { behavioral_status: "idle", status_message: "x" })
    await me.call("POST /v1/roc/channels", { id: "room", name: "Room", type: "private" })
    await me.call("POST /v1/roc/invites", { channel: "room", invitee: "u3" })
    await other.call("POST /v1/roc/invites", { channel: "room" })
    await me.call("POST /v1/roc/channels/room/bans", { subscriber: "u9" })
    await me.call("POST /v1/roc/messages", { receiver: "2", body: "x" })
    await app.admin("PUT /v1/projects/456/push-credentials", { googleServerKey: "k", googleProjectNumber: "1" })
    const suffixes = (await allKeys(raw)).map((key) => key.replace(X, "X").replace(/Tok:.*|pair:.*/, ""))
    for (const key of ["X:St:u1", "X:OnSub", "X:C:u1", "X:Ch:room", "X:Ch:room:JR", "X:Ch:room:Inv", "X:Sub:u3:Inv"])
      expect(suffixes).toContain(key)
    expect(await misfits(raw, schema.keys)).toEqual([])
  })
})
