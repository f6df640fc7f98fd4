/* When tokens end: with a logout, with a new password, and with the theft of a refresh
 * token that was used already. */

import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { rawBytes, rawRequest } from "../platform/testing/raw-http.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { cookieIn, login, open, PASSWORD, type Person, type Restaurant } from "./restaurant.cases.ts"

onAnyServerAndInFullOnCluster("sessions of the restaurant", (server) => {
  let served: Restaurant
  let ann: Person
  beforeEach(async () => {
    served = await open(server())
    ann = await served.person("ann")
  })
  afterEach(() => served.close())

  const enters = async (token: string) => (await served.call("GET /cart", { token })).status
  const refresh = async (cookie: string) => {
    const answer = await served.call("POST /refresh", { headers: { cookie: `refresh_token=${cookie}` } })
    const token = (answer.body as { accessToken?: string }).accessToken ?? ""
    return { status: answer.status, token, cookie: answer.status === 200 ? cookieIn(answer.headers) : "" }
  }
  const logout = (headers: Record<string, string>) => served.call("POST /logout", { headers })
  const stored = async () =>
    JSON.parse((await server().raw("GET", `user:${ann.id}`)) as string) as Record<string, unknown>

  test("a logout ends the access tokens of its session, and of no other", async () => {
    const second = await login(served, ann.email)
    const third = await login(served, ann.email)
    const later = await refresh(third.cookie)
    await logout({ cookie: `refresh_token=${later.cookie}` })
    expect([await enters(third.token), await enters(later.token)]).toEqual([401, 401])
    expect([await enters(ann.token), await enters(second.token)]).toEqual([200, 200])
    await logout({ authorization: `Bearer ${second.token}` })
    expect([await enters(ann.token), await enters(second.token)]).toEqual([200, 401])
    await logout({ cookie: `refresh_token=${ann.cookie}` })
    expect(await enters(ann.token)).toBe(401)
    expect((await stored())["refreshToken"]).toBeNull()
  })

  test.each(["same-site", "cross-site", "nonsense", ""])(
    "a page of another origin (%j) neither ends nor refreshes a session by its cookie",
    async (site) => {
      const headers = { cookie: `refresh_token=${ann.cookie}`, "sec-fetch-site": site, "sec-fetch-mode": "no-cors" }
      for (const request of ["POST /logout", "POST /refresh"]) {
        const refused = await served.call(request, { headers })
        expect([refused.status, refused.body]).toEqual([403, expect.objectContaining({ error: "cross_origin" })])
        expect(refused.headers.get("set-cookie")).toBeNull()
      }
      expect(await enters(ann.token)).toBe(200)
      const own = { cookie: headers.cookie, "sec-fetch-site": "same-origin" }
      const next = await served.call("POST /refresh", { headers: own })
      expect(next.status).toBe(200)
      await logout({ cookie: `refresh_token=${cookieIn(next.headers)}`, "sec-fetch-site": "none" })
      expect(await enters(ann.token)).toBe(401)
    },
  )

  test("so it is with a page of an older browser, which says its origin alone", async () => {
    const cookie = `refresh_token=${ann.cookie}`
    const { host, port } = new URL(served.url)
    for (const origin of [`http://127.0.0.1:${Number(port) + 1}`, `http://${host}.example.com`, "null", ""])
      for (const request of ["POST /logout", "POST /refresh"])
        expect([origin, (await served.call(request, { headers: { cookie, origin } })).status]).toEqual([origin, 403])
    expect(await enters(ann.token)).toBe(200)
    const own = await served.call("POST /refresh", { headers: { cookie, origin: `http://${host}` } })
    expect(own.status).toBe(200)
  })

  test("a token enters only as it was issued, not in another spelling of the same bytes", async () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    const bytes = (token: string) => Buffer.from(token.split(".")[2]!, "base64url").toString("hex")
    const others = [...alphabet].map((last) => ann.token.slice(0, -1) + last).filter((token) => token !== ann.token)
    const same = [...others, `${ann.token}=`, `${ann.token}==`].filter((token) => bytes(token) === bytes(ann.token))
    expect(same).toHaveLength(5)
    for (const token of same) expect(await enters(token)).toBe(401)
    expect(await enters(ann.token)).toBe(200)
  })

  test("of two cookies of one name neither enters, and a logout ends both sessions", async () => {
    const second = await login(served, ann.email)
    const planted = `refresh_token=planted; refresh_token=${ann.cookie}; refresh_token=${second.cookie}`
    expect((await served.call("POST /refresh", { headers: { cookie: planted } })).status).toBe(401)
    expect([await enters(ann.token), await enters(second.token)]).toEqual([200, 200])
    await logout({ cookie: planted })
    expect([await enters(ann.token), await enters(second.token)]).toEqual([401, 401])
  })

  test("a new password ends every existing token, no matter who set it", async () => {
    const second = await login(served, ann.email)
    const body = { password: `${PASSWORD}-new` }
    expect((await served.call(`PUT /api/users/${ann.id}`, { token: served.boss, body })).status).toBe(200)
    expect([await enters(ann.token), await enters(second.token)]).toEqual([401, 401])
    expect((await refresh(second.cookie)).status).toBe(401)
    expect(await enters((await login(served, ann.email, body.password)).token)).toBe(200)
    // The same password set again is a new one as well: its hash has another salt.
    const again = await login(served, ann.email, body.password)
    await served.call(`PUT /api/users/${ann.id}`, { token: served.boss, body })
    expect(await enters(again.token)).toBe(401)
  })

  test("a refresh does not end the other requests of its session", async () => {
    const next = await refresh(ann.cookie)
    expect([await enters(ann.token), await enters(next.token)]).toEqual([200, 200])
    const document = Object.keys(await stored()).sort()
    expect(document).toEqual(
      "address createdAt createdBy email gender id password phone refreshToken roleId updatedAt updatedBy username".split(
        " ",
      ),
    )
  })

  test("a spent refresh token that comes back ends its session, for the thief and for the owner", async () => {
    const second = await refresh(ann.cookie)
    const third = await refresh(second.cookie)
    expect((await refresh(ann.cookie)).status).toBe(401)
    expect((await refresh(third.cookie)).status).toBe(401)
    expect([await enters(ann.token), await enters(second.token), await enters(third.token)]).toEqual([401, 401, 401])
    expect((await stored())["refreshToken"]).toBeNull()
    expect(await enters((await login(served, ann.email)).token)).toBe(200)
  })

  test("a spent one ends its session at once when it comes from another address", async () => {
    await served.close()
    served = await open(server(), "--behind-proxy")
    const { cookie, token } = await login(served, ann.email)
    const next = await refresh(cookie)
    const thief = { "x-forwarded-for": "192.0.2.66", cookie: `__Host-refresh_token=${cookie}` }
    expect((await rawRequest(served.url, "POST /refresh", thief)).status).toBe(401)
    expect([await enters(token), await enters(next.token)]).toEqual([401, 401])
  })

  test("a thief who was first is found out by the owner's second try, wherever that comes from", async () => {
    const stolen = await refresh(ann.cookie)
    const { hostname, port } = new URL(served.url)
    const cookie = `Cookie: refresh_token=${ann.cookie}`
    const trying = (connection: string) =>
      `POST /refresh HTTP/1.1\r\nHost: 127.0.0.1\r\n${cookie}\r\nConnection: ${connection}\r\n\r\n`
    await rawBytes(Number(port), hostname, trying("keep-alive") + trying("close"))
    expect([await enters(stolen.token), (await refresh(stolen.cookie)).status]).toEqual([401, 401])
  })

  test("a spent one of an earlier login ends nothing of the later one", async () => {
    const next = await refresh(ann.cookie)
    const later = await login(served, ann.email)
    expect((await refresh(ann.cookie)).status).toBe(401)
    expect((await refresh(next.cookie)).status).toBe(401)
    expect(await enters(later.token)).toBe(200)
    expect((await refresh(later.cookie)).status).toBe(200)
  })

  test.each(["another login", "another login and its logout"])(
    "a spent one that comes back after %s ends its own session",
    async (what) => {
      const stolen = await refresh(ann.cookie)
      const later = await login(served, ann.email)
      if (what.endsWith("logout")) await logout({ cookie: `refresh_token=${later.cookie}` })
      expect((await refresh(ann.cookie)).status).toBe(401)
      expect([await enters(ann.token), await enters(stolen.token)]).toEqual([401, 401])
    },
  )

  test("the cookie crosses no network unencrypted, and no neighbour can plant one", async () => {
    const cookie = async (host: string) => {
      const body = JSON.stringify({ username: ann.email, password: PASSWORD })
      return /set-cookie: ([^\r]*)/i.exec((await rawRequest(served.url, "POST /login", { host }, body)).head)![1]!
    }
    const rest = "Max-Age=2592000; HttpOnly; Path=/; SameSite=Strict"
    expect(await cookie("127.0.0.1")).toMatch(new RegExp(`^refresh_token=[^;]+; ${rest}$`))
    const secure = await cookie("eat.example")
    expect(secure).toMatch(new RegExp(`^__Host-refresh_token=[^;]+; ${rest}; Secure$`))
    const headers = { host: "eat.example", cookie: `refresh_token=planted; ${secure.split(";")[0]}` }
    expect((await rawRequest(served.url, "POST /refresh", headers)).status).toBe(200)
    const planted = { host: "eat.example", cookie: (await cookie("127.0.0.1")).split(";")[0]! }
    expect((await rawRequest(served.url, "POST /refresh", planted)).status).toBe(401)
    expect((await rawRequest(served.url, "POST /refresh", { ...planted, host: "127.0.0.1" })).status).toBe(200)
  })

  test("behind a proxy the name is not trusted to say that there is no network between", async () => {
    await served.close()
    served = await open(server(), "--behind-proxy")
    const body = JSON.stringify({ username: ann.email, password: PASSWORD })
    const cookie = async (headers: Record<string, string>) =>
      /set-cookie: ([^=]*)=.*?(; Secure)?\r/i
        .exec((await rawRequest(served.url, "POST /login", headers, body)).head)!
        .slice(1)
    expect(await cookie({ "x-forwarded-for": "203.0.113.5" })).toEqual(["__Host-refresh_token", "; Secure"])
    expect(await cookie({ "x-forwarded-for": "::1, 203.0.113.5" })).toEqual(["__Host-refresh_token", "; Secure"])
    expect(await cookie({ "x-forwarded-for": "203.0.113.5, ::1" })).toEqual(["refresh_token", undefined])
    expect(await cookie({})).toEqual(["refresh_token", undefined])
  })

  test("twenty refreshes at once: one succeeds, and what it got is good", async () => {
    await served.close()
    served = await open(server(), "--set", "restaurant.haste=1500")
    const { cookie } = await login(served, ann.email)
    const all = await Promise.all(Array.from({ length: 20 }, () => refresh(cookie)))
    const won = all.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(await enters(won[0]!.token)).toBe(200)
    // Who has the answer comes after the moment in which it was held back: that is a replay.
    expect((await refresh(cookie)).status).toBe(401)
    expect((await refresh(won[0]!.cookie)).status).toBe(401)
  })

  describe("an administrator who is demoted, with a new password", () => {
    let boss: Person
    let roles: Record<string, string>
    const administer = (request: string, body: object) => served.call(request, { token: served.boss, body })
    beforeEach(async () => {
      const listed = (await served.call("GET /api/roles?pageSize=100", { token: served.boss })).body as unknown as {
        result: { id: string; name: string }[]
      }
      roles = Object.fromEntries(listed.result.map(({ id, name }) => [name, id]))
      boss = await served.person("boss")
      await administer(`PUT /api/users/${boss.id}`, { roleId: roles["ADMIN"] })
    })
    const demote = () =>
      administer(`PUT /api/users/${boss.id}`, { roleId: roles["USER"], password: "the-new-password" })
    const expectDemoted = async () => {
      const now = JSON.parse((await server().raw("GET", `user:${boss.id}`)) as string) as { roleId: string }
      expect(now.roleId).toBe(roles["USER"])
      const entered = await served.call("POST /login", { body: { username: boss.email, password: "the-new-password" } })
      expect(entered.status).toBe(200)
    }

    test("does not undo that with a request whose body comes later", async () => {
      const { token } = await login(served, boss.email)
      const body = JSON.stringify({ roleId: roles["ADMIN"], password: "the-thief's-password" })
      const socket = connect(Number(new URL(served.url).port), "127.0.0.1")
      let heard = ""
      socket.on("data", (part) => (heard += part.toString()))
      socket.write(
        [`PUT /api/users/${boss.id} HTTP/1.1`, "Host: 127.0.0.1", `Authorization: Bearer ${token}`]
          .concat("Content-Type: application/json", `Content-Length: ${body.length}`, "", body.slice(0, 1))
          .join("\r\n"),
      )
      await sleep(400)
      expect((await demote()).status).toBe(200)
      socket.write(body.slice(1))
      await expect.poll(() => heard).toContain("HTTP/1.1 401")
      socket.destroy()
      await expectDemoted()
    })

    test("does not undo that with requests that wait for their passwords to be hashed", async () => {
      const { token } = await login(served, boss.email)
      const change = { roleId: roles["ADMIN"], password: "the-thief's-password" }
      const waiting = Array.from({ length: 60 }, () =>
        served.call(`PUT /api/users/${boss.id}`, { token, body: { ...change, password: PASSWORD } }),
      )
      expect((await demote()).status).toBe(200)
      await Promise.all(waiting)
      await expectDemoted()
    })
  })
})
