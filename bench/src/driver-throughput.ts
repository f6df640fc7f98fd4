/* How many calls a second our own connection makes through `driver.send`, at 500
 * concurrent calls, against a real server: `node dist/driver-throughput.js [url] [seconds]`. */

import type { Command, Driver } from "../../packages/keywright/src/driver/driver.ts"
import { openResp } from "../../packages/keywright/src/driver/resp/open-resp.ts"

const CONCURRENT = 500
const url = process.argv[2] ?? "redis://127.0.0.1:6379"
const seconds = Number(process.argv[3] ?? 2)

async function rate(driver: Driver, command: (i: number) => Command): Promise<number> {
  const until = performance.now() + seconds * 1000
  let calls = 0
  let going = true
  const worker = async (): Promise<void> => {
    while (going) {
      await driver.send(command(calls++))
      if ((calls & 1023) === 0) going = performance.now() < until
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: CONCURRENT }, worker))
  return (calls / (performance.now() - start)) * 1000
}

const LOADS: Readonly<Record<string, (i: number) => Command>> = {
  GET: (i) => ["GET", `bench:${i % 1000}`],
  SET: (i) => ["SET", `bench:${i % 1000}`, "0123456789abcdef"],
  "SET 1 kB": (i) => ["SET", `bench:doc:${i % 1000}`, "x".repeat(1024)],
  INCR: () => ["INCR", "bench:n"],
  HGETALL: () => ["HGETALL", "bench:h"],
}

for (const protocol of [2, 3] as const) {
  const driver = openResp(url, { protocol })
  for (let i = 0; i < 1000; i++) await driver.send(["SET", `bench:${i}`, "0123456789abcdef"])
  await driver.send(["HSET", "bench:h", ...Array.from({ length: 20 }, (_, i) => `f${i}`)])
  for (const [name, command] of Object.entries(LOADS)) {
    const perSecond = await rate(driver, command)
    console.log(`RESP${protocol} ${name.padEnd(9)} ${Math.round(perSecond / 1000)} k/s`)
  }
  await driver.close()
}
