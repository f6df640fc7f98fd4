/* Guessing passwords, and making accounts by the hundred: what is refused, and that nobody
 * else is. */

import { request } from "node:http"
import { afterEach, describe, expect, test } from "vitest"
import { isFull } from "../../test/full.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { send } from "../platform/testing/serve.ts"
import { ADMIN_EMAIL, open, PASSWORD, type Restaurant } from "./restaurant.cases.ts"
import { times } from "../platform/testing/times.ts"

onAnyServerAndInFullOnCluster("guessing and registering", (server) => {
  let served: Restaurant
  afterEach(() => served.close())

  const login = async (username: string, password: string, headers = {}) =>
    (await served.call("POST /login", { body: { username, password }, headers })).status
  const inARow = async (n: number, work: (i: number) => Promise<number>) => {
    const found: number[] = []
    for (let i = 0; i < n; i++) found.push(await work(i))
    return found
  }

  /** From another address of this machine. */
  const loginFrom = (localAddress: string, username: string, password: string) =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(served.url)
      const options = { hostname, port, localAddress, method: "POST", path: "/login", agent: false } as const
      const sent = request({ ...options, headers: { "content-type": "application/json" } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode!)
      })
      sent.on("error", reject)
      sent.end(JSON.stringify({ username, password }))
    })

  describe("forty wrong passwords of one account", () => {
    test("are not all tried; the owner still enters from another address, and others from this one", async () => {
      served = await open(server())
      const tried = await inARow(40, (i) => login(ADMIN_EMAIL, `wrong-${i}`))
      expect(tried).toEqual([...Array.from({ length: 20 }, () => 401), ...Array.from({ length: 20 }, () => 429)])
      expect(await login(ADMIN_EMAIL, PASSWORD)).toBe(429)
      expect(await loginFrom("127.0.0.2", ADMIN_EMAIL, PASSWORD)).toBe(200)
      await served.person("ann")
      const refused = await served.call("POST /login", { body: { username: ADMIN_EMAIL, password: "x" } })
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
      expect((refused.body as { error: string }).error).toBe("too_many_attempts")
    })

    test("are not more when they come at once, under other spellings, or with forged addresses", async () => {
      served = await open(server(), "--set", "restaurant.failuresPerAccount=6")
      const spellings = [
        ADMIN_EMAIL,
        ` ${ADMIN_EMAIL.toUpperCase()} `,
        ADMIN_EMAIL.replace("a", "ａ"),
        "ADMIN@example.com",
      ]
      const tried = await times(30, (i) =>
        login(spellings[i % 4]!, `w${i}`, { "x-forwarded-for": `10.0.0.${i}`, forwarded: `for=10.0.1.${i}` }),
      )
      // Those that are being checked at the moment of the last failure may still be.
      expect(tried.filter((status) => status === 401).length).toBeGreaterThanOrEqual(6)
      expect(tried.filter((status) => status === 401).length).toBeLessThanOrEqual(10)
    })

    test("of somebody who does not exist are answered just the same", async () => {
      served = await open(server(), "--set", "restaurant.failuresPerAccount=3")
      expect(await inARow(5, () => login("nobody@example.com", "x"))).toEqual([401, 401, 401, 429, 429])
      expect(await inARow(5, () => login(ADMIN_EMAIL, "x"))).toEqual([401, 401, 401, 429, 429])
    })

    test("from many addresses leave each of them one try, so that the owner is not shut out", async () => {
      served = await open(server(), "--set", "restaurant.failuresPerAccount=2")
      for (let i = 10; i < 15; i++) for (let k = 0; k < 2; k++) await loginFrom(`127.0.0.${i}`, ADMIN_EMAIL, "wrong")
      expect(await loginFrom("127.0.0.20", ADMIN_EMAIL, "wrong")).toBe(401)
      expect(await loginFrom("127.0.0.20", ADMIN_EMAIL, "wrong")).toBe(429)
      expect(await loginFrom("127.0.0.21", ADMIN_EMAIL, PASSWORD)).toBe(200)
    })

    test("are forgotten when the right one comes, and are not limited with limits=off", async () => {
      served = await open(server(), "--set", "restaurant.failuresPerAccount=3")
      for (let round = 0; round < 3; round++)
        expect([
          await login(ADMIN_EMAIL, "x"),
          await login(ADMIN_EMAIL, "x"),
          await login(ADMIN_EMAIL, PASSWORD),
        ]).toEqual([401, 401, 200])
      await served.close()
      served = await open(
        server(),
        "--set",
        "restaurant.limits=off",
        "--set",
        "restaurant.failuresPerAccount=1",
        "--set",
        "restaurant.registrationsPerMinute=1",
      )
      expect(await inARow(4, () => login(ADMIN_EMAIL, "x"))).toEqual([401, 401, 401, 401])
      await served.person("ann")
      await served.person("bob")
    })
  })

  describe("an address", () => {
    test("that tries many accounts is refused, and no other address is", async () => {
      served = await open(server(), "--set", "restaurant.failuresPerAddress=5")
      expect(await inARow(7, (i) => login(`u${i}@example.com`, "x"))).toEqual([401, 401, 401, 401, 401, 429, 429])
      expect(await loginFrom("127.0.0.3", ADMIN_EMAIL, PASSWORD)).toBe(200)
    })

    test("behind a proxy is what the proxy says last", async () => {
      served = await open(server(), "--behind-proxy", "--set", "restaurant.failuresPerAddress=2")
      const from = (forwarded: string) => login("u@example.com", "x", { "x-forwarded-for": forwarded })
      expect([await from("1.1.1.1, 9.9.9.9"), await from("2.2.2.2, 9.9.9.9"), await from("3.3.3.3,9.9.9.9")]).toEqual([
        401, 401, 429,
      ])
      expect(await from("9.9.9.9, 8.8.8.8")).toBe(401)
      const network = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:2:3:4:5:6"]
      expect(await inARow(3, (i) => from(network[i]!))).toEqual([401, 401, 429])
      expect(await inARow(3, (i) => from(`7.7.7.7:${4000 + i}`))).toEqual([401, 401, 429])
      const spellings = ["2001:DB8:9::1", '"[2001:0db8:0009::1]:443"', "[2001:db8:9:0:1::]"]
      expect(await inARow(3, (i) => from(spellings[i]!))).toEqual([401, 401, 429])
      const mapped = ["6.6.6.6", "::ffff:606:606", "[::FFFF:6.6.6.6]:1"]
      expect(await inARow(3, (i) => from(mapped[i]!))).toEqual([401, 401, 429])
      expect(await inARow(3, (i) => from(`junk-${i}`))).toEqual([401, 401, 429])
    })

    test("behind a proxy is the one that VNPay gets, too", async () => {
      served = await open(server(), "--behind-proxy")
      const { token } = await served.person("ann")
      const dishId = await served.dish()
      const toldFrom = async (forwarded: string) => {
        const headers = { "x-forwarded-for": forwarded }
        await served.call("POST /cart/add-dish", { token, body: { dishId, quantity: 1 } })
        const { body } = await served.call("POST /cart/checkout", { token, headers, body: { paymentMethod: "VNPAY" } })
        return new URL((body as { paymentUrl: string }).paymentUrl).searchParams.get("vnp_IpAddr")
      }
      expect(await toldFrom("6.6.6.6, [::ffff:808:808]:443")).toBe("8.8.8.8")
      expect(await toldFrom("2001:DB8::0001")).toBe("2001:db8::1")
      expect(await toldFrom("<script>")).toBe("127.0.0.1")
    })

    test("may make a few hundred accounts and logins a minute, at once", async () => {
      served = await open(server())
      const many = isFull ? 300 : 20
      const registered = await times(many, (i) =>
        send(served.url, "POST /register", {
          body: { username: `u${i}`, email: `u${i}@example.com`, password: PASSWORD },
        }),
      )
      expect(new Set(registered.map(({ status }) => status))).toEqual(new Set([201]))
      expect(new Set(await times(many, (i) => login(`u${i}@example.com`, PASSWORD)))).toEqual(new Set([200]))
    })

    test("may not make accounts without end, nor with passwords of a few characters", async () => {
      served = await open(server(), "--set", "restaurant.registrationsPerMinute=3")
      const register = async (name: string, password: string) =>
        (await served.call("POST /register", { body: { username: name, email: `${name}@example.com`, password } }))
          .status
      expect(await inARow(3, (i) => register(`short${i}`, "x".repeat(i * 2 + 1)))).toEqual([400, 400, 400])
      expect(await inARow(5, (i) => register(`u${i}`, PASSWORD))).toEqual([201, 201, 201, 429, 429])
    })
  })

  test("a right login does not wait behind wrong ones of another address", async () => {
    served = await open(server())
    let wrong = 0
    const guessing = times(40, async (i) => {
      await loginFrom("127.0.0.9", `u${i}@example.com`, "wrong")
      wrong += 1
    })
    expect(await login(ADMIN_EMAIL, PASSWORD)).toBe(200)
    expect(wrong).toBeLessThan(20)
    await guessing
  })
})
