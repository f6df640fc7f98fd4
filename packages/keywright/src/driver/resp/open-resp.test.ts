import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { freePort, type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { openResp } from "./open-resp.ts"

describe.runIf(needs("redis-server"))("our own connection", () => {
  let server: RealRedis
  let folder: string
  let tlsPort: number

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "keywright-tls-"))
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    const files = ["-keyout", `${folder}/key.pem`, "-out", `${folder}/cert.pem`]
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files], {
      stdio: "ignore",
    })
    tlsPort = await freePort()
    const tls = ["--tls-port", String(tlsPort), "--tls-auth-clients", "no", "--tls-ca-cert-file", `${folder}/cert.pem`]
    server = await startRedis({
      args: [...tls, "--tls-cert-file", `${folder}/cert.pem`, "--tls-key-file", `${folder}/key.pem`],
    })
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test("speaks TLS", async () => {
    const driver = openResp(`rediss://localhost:${tlsPort}`, { tls: { ca: readFileSync(`${folder}/cert.pem`) } })
    const value = "é".repeat(500_000)
    expect(await driver.send(["SET", "k", value])).toBe("OK")
    expect((await driver.send(["GET", "k"])) === value).toBe(true)
    await driver.close()
  })

  test("does not speak to a server whose certificate it cannot trust", async () => {
    const driver = openResp(`rediss://localhost:${tlsPort}`, { timeoutMs: 200 })
    await expect(driver.send(["GET", "k"])).rejects.toMatchObject({ name: "NotApplied", code: "DRIVER.TIMEOUT" })
    await driver.close()
  })

  test("says who it is", async () => {
    const driver = openResp(`${server.url}?name=orders`)
    expect(await driver.send(["CLIENT", "GETNAME"])).toBe("orders")
    await driver.close()
  })

  test("speaks RESP3 by default, and RESP2 to servers that know no other", async () => {
    const [three, two] = [openResp(server.url), openResp(server.url, { protocol: 2 })]
    expect(await three.send(["CLIENT", "INFO"])).toContain("resp=3")
    expect(await two.send(["CLIENT", "INFO"])).toContain("resp=2")
    const withoutHello = await startRedis({ args: ["--rename-command", "HELLO", ""] })
    const old = openResp(`${withoutHello.url}/4?name=app`)
    expect(await old.send(["CLIENT", "INFO"])).toMatch(/name=app .*db=4 .*resp=2/)
    await Promise.all([three.close(), two.close(), old.close()])
    await withoutHello.stop()
  })

  test("fails with the reason when nobody is there", async () => {
    const driver = openResp(`redis://127.0.0.1:${await freePort()}`, { timeoutMs: 150 })
    const error = await driver.send(["GET", "k"]).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: "NotApplied", code: "DRIVER.TIMEOUT" })
    expect((error as { why: string }).why).toContain("ECONNREFUSED")
    await driver.close()
  })

  test("sends a script in full once, and by its digest from then on", async () => {
    const driver = openResp(server.url)
    await driver.send(["CONFIG", "RESETSTAT"])
    const script = { name: "one", source: "return 1", sha1: "e0e1f9fabfc9d4800c877a703b823ac0578ff8db" }
    await Promise.all(Array.from({ length: 10 }, () => driver.run(script, [], [])))
    const stats = String(await driver.send(["INFO", "commandstats"]))
    expect(stats).toMatch(/cmdstat_eval:calls=1,/)
    expect(stats).toMatch(/cmdstat_evalsha:calls=9,.*failed_calls=0/)
    await driver.close()
  })

  test("sends many scripts before their tick ends: the server works while the next ones are made", async () => {
    const driver = openResp(server.url)
    const script = {
      name: "count",
      source: "return redis.call('INCR', KEYS[1])",
      sha1: sha1("return redis.call('INCR', KEYS[1])"),
    }
    await driver.run(script, ["counted"], [])
    const calls = Array.from({ length: 9 }, () => driver.run(script, ["counted"], []))
    // Nothing of this process runs meanwhile.
    const asked = execFileSync(process.execPath, ["-e", ASK, String(server.port)], { encoding: "utf8" })
    expect(asked).toBe("$1\r\n9\r\n")
    expect(await Promise.all(calls)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
    await driver.close()
  })
})

const sha1 = (source: string): string => createHash("sha1").update(source).digest("hex")
const ASK = `const socket = require("node:net").connect(Number(process.argv[1]), "127.0.0.1", () => socket.write("GET counted\\r\\n"))
socket.once("data", (reply) => { process.stdout.write(reply); socket.end() })`
