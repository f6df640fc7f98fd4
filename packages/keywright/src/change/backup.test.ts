import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { startRedis } from "../../../../test/real-redis.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import { embeddedDriver, loadEmbedded } from "../driver/embedded.ts"
import { startHostile } from "../../../../test/hostile-server.ts"
import { backup } from "./backup.ts"

it("saves nothing on a server that does not say what time it is", async () => {
  const commands: string[] = []
  const server = await startHostile(([name]) => {
    commands.push(name!)
    return name === "TIME" ? "*0\r\n" : "+OK\r\n"
  })
  const driver = openResp(server.url)
  await expect(backup(driver)).rejects.toMatchObject({ code: "BACKUP.FAILED" })
  expect(commands).toEqual(["TIME"])
  await driver.close()
  await server.close()
})

it("does not wait for a server that never begins", async () => {
  const replies: Readonly<Record<string, string>> = {
    TIME: "*2\r\n$10\r\n1800000000\r\n$1\r\n0\r\n",
    LASTSAVE: ":1\r\n",
  }
  const server = await startHostile(([name]) => replies[name!] ?? "$0\r\n\r\n")
  const driver = openResp(server.url)
  await expect(backup(driver, { beginMs: 1 })).rejects.toMatchObject({ code: "BACKUP.FAILED" })
  await driver.close()
  await server.close()
})

describe.runIf(needs("redis-server"))("on a real server", () => {
  it("comes back when the snapshot is on disk", async () => {
    const server = await startRedis()
    const driver = openResp(server.url)
    await driver.send(["SET", "a", "1"])
    const [saved] = await backup(driver)
    expect(saved?.how).toBe("BGSAVE")
    expect(existsSync(join(server.directory, "dump.rdb"))).toBe(true)
    await driver.close()
    await server.stop()
  })

  it("waits for a snapshot that is already being written, makes another one, and tells how far it is", async () => {
    const server = await startRedis({ args: ["--rdb-key-save-delay", "2000"] })
    const driver = openResp(server.url)
    await driver.batch(Array.from({ length: 100 }, (_, i) => ["SET", `key:${i}`, "x"]))
    await driver.send(["BGSAVE"])
    const seen: number[] = []
    const [saved] = await backup(driver, { onProgress: ({ of }) => seen.push(of ?? 0) })
    expect(saved?.how).toBe("BGSAVE")
    expect(seen.some((of) => of === 100)).toBe(true)
    await driver.close()
    await server.stop()
  })

  it("says that it failed when the server cannot write", async () => {
    const server = await startRedis({ args: ["--dbfilename", "dump.rdb"] })
    const driver = openResp(server.url)
    await driver.send(["SET", "a", "1"])
    await driver.send(["CONFIG", "SET", "rdb-key-save-delay", "0"])
    const { rmSync } = await import("node:fs")
    rmSync(server.directory, { recursive: true, force: true })
    await expect(backup(driver)).rejects.toMatchObject({ code: "BACKUP.FAILED" })
    await driver.close()
    await server.stop()
  })
})

it("uses SAVE on a server that cannot fork", async () => {
  const engine = await (await loadEmbedded()).start()
  const driver = embeddedDriver(engine)
  await driver.send(["SET", "a", "1"])
  expect((await backup(driver))[0]?.how).toBe("SAVE")
  await driver.close()
  await engine.stop()
})
