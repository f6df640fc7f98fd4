/* kill -9 of the command line at random points of its work: gone on with, the result is
 * that of a run that nobody disturbed. */

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isFull } from "../../../../test/full.ts"
import { needs } from "../../../../test/needs.ts"
import { freshBundle } from "../cli/run-cli.cases.ts"
import type { Command } from "../driver/driver.ts"
import { audit } from "../inspect/audit/audit.ts"
import { json } from "../schema/codec/json.ts"
import { set } from "../schema/define.ts"
import { text } from "../schema/codec/text.ts"
import { entity } from "../schema/entity.ts"
import { toJson } from "../schema/json/to-json.ts"
import { keyspace, type Keyspace } from "../schema/keyspace.ts"
import { exportKeys } from "./copy/export-keys.ts"
import { redisForSuite } from "../driver/redis-for-suite.cases.ts"
import * as z from "zod"

const KILLS = isFull ? 20 : 2
const RECORDS = isFull ? 30_000 : 2500

const space = keyspace(
  {
    dish: entity("dish:{id}", json(z.object({ id: z.string(), kind: z.string() })), {
      counter: "dish:counter",
      all: "dish:list",
      index: { kind: "dish:kind:{kind}" },
    }),
    tags: set("tags:{n}", text),
  },
  { name: "kill", ttl: "never" },
) as unknown as Keyspace

const bin = fileURLToPath(new URL("../../bin/keywright.js", import.meta.url))

describe.runIf(needs("redis-server"))(
  "kill -9, gone on with",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "keywright-kill-"))
    const schema = join(folder, "schema.json")
    const server = redisForSuite()

    beforeAll(async () => {
      await freshBundle()
      writeFileSync(schema, JSON.stringify(toJson(space)))
    }, 60_000)
    afterAll(async () => {
      rmSync(folder, { recursive: true, force: true })
    })

    const begin = (...args: string[]): { child: ChildProcess; ended: Promise<number | null>; errors: () => string } => {
      const child = spawn(process.execPath, [bin, ...args, "--schema", schema, "--url", server.redis.url], {
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"],
      })
      let errors = ""
      child.stderr.on("data", (more: Buffer) => (errors += more.toString()))
      return { child, ended: once(child, "close").then(([code]) => code as number | null), errors: () => errors }
    }

    /**
     * Calls until it is through, killed at a random moment after the file has grown, which it does while work is done;
     * this many times, or as often as there is work left.
     */
    async function untilDone(file: string, spread: number, ...args: string[]): Promise<number> {
      let kills = 0
      const state = () => {
        const { size = 0, mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {}
        return `${size} ${mtimeMs}`
      }
      for (;;) {
        const before = state()
        const { child, ended, errors } = begin(...args)
        const isOver = () => child.exitCode !== null || child.signalCode !== null
        while (!isOver() && state() === before) await sleep(1)
        if (kills < KILLS) {
          await sleep(Math.random() * spread)
          if (!isOver()) kills += Number(child.kill("SIGKILL"))
        }
        const code = await ended
        if (code !== null) {
          expect(code, errors()).toBe(0)
          return kills
        }
      }
    }

    const digest = async () => (await exportKeys(space, server.driver, () => undefined)).patterns

    async function fill(): Promise<void> {
      await server.driver.send(["FLUSHALL"])
      const commands: Command[] = [["SET", "dish:counter", String(RECORDS)]]
      for (let i = 1; i <= RECORDS; i++) {
        commands.push(["SET", `dish:${i}`, `{"id":"${i}","kind":"k${i % 9}","note":"${"x".repeat(200)}"}`])
        commands.push(["SADD", "dish:list", String(i)], ["SADD", `dish:kind:k${i % 9}`, String(i)])
        commands.push(["SADD", `tags:${i}`, "a", "b", Buffer.from([255, i & 255])])
      }
      for (let at = 0; at < commands.length; at += 10_000) await server.driver.batch(commands.slice(at, at + 10_000))
    }

    it("export writes what an undisturbed one writes", async () => {
      await fill()
      const expected = await digest()
      const file = join(folder, "killed.ndjson")
      const kills = await untilDone(`${file}.part`, 150, "export", "--out", file, "--rate", "15000")
      expect(kills).toBe(KILLS)
      const lines = readFileSync(file, "utf8").trimEnd().split("\n")
      const closing = JSON.parse(lines.at(-1)!) as { keys: number; patterns: object }
      expect(closing.patterns).toEqual(expected)
      const ends = lines.slice(1, -1).map((line) => JSON.parse(line) as { key: unknown; more?: true })
      const keys = ends.filter(({ more }) => more === undefined).map(({ key }) => key)
      expect(keys.length).toBe(closing.keys)
      expect(new Set(keys).size).toBe(closing.keys)
      for (const rest of [".part", ".progress"]) expect(existsSync(file + rest)).toBe(false)
    })

    it("import leaves what an undisturbed one leaves", async () => {
      await fill()
      await server.driver.send(["RPUSH", "long", ...Array.from({ length: 40_000 }, (_, i) => String(i))])
      const expected = await digest()
      const file = join(folder, "whole.ndjson")
      await exportKeys(space, server.driver, { file })
      await server.driver.send(["FLUSHALL"])
      const kills = await untilDone(`${file}.import`, 60, "import", file, "--no-rebuild", "--foreign")
      expect(kills).toBe(KILLS)
      expect(await digest()).toEqual(expected)
    })

    it("repair leaves what an undisturbed one leaves, and can be taken back", async () => {
      await fill()
      const expected = await digest()
      const ghosts = Array.from({ length: RECORDS / (isFull ? 3 : 10) }, (_, i) => `ghost${i}`)
      for (let k = 0; k < 9; k++) await server.driver.send(["SADD", `dish:kind:k${k}`, ...ghosts])
      for (let i = 1; i <= 1000; i++) await server.driver.send(["SREM", `dish:kind:k${i % 9}`, String(i)])
      const damaged = await digest()
      const plan = join(folder, "plan.json")
      expect(await begin("repair", "--out", plan).ended).toBe(1)
      // The last of them may come when everything is done.
      const kills = await untilDone(`${plan}.journal`, 4, "repair", "--apply", plan)
      expect(kills).toBeGreaterThan(KILLS / 3)
      expect((await audit(space, server.driver)).summary).toEqual({ "VALUE.UNDECODABLE": RECORDS })
      expect(await digest()).toEqual(expected)
      const undo = await untilDone(`${plan}.undo-journal`, 4, "repair", "--undo", plan)
      expect(undo).toBe(KILLS)
      expect(await digest()).toEqual(damaged)
      expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([])
    })
  },
  600_000,
)
