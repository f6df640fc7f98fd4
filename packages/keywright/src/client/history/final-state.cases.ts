/* What the server holds in the end, read by raw commands. */

import type { Driver } from "../../driver/driver.ts"
import type { Anomaly, FinalState, Operation } from "./history.cases.ts"
import { numbers, PAIRS } from "./workload.cases.ts"

/** The final state of the keys that anybody used; on the server, all of them begin with `prefix`. */
export async function readFinalState(
  driver: Driver,
  operations: Iterable<Operation>,
  prefix = "",
): Promise<FinalState> {
  const send = (name: string, key: string, ...more: string[]) =>
    driver.send([name, `${prefix}${key}`, ...more], { safe: true })
  const lists = new Map<string, readonly number[]>()
  const sets = new Map<string, readonly number[]>()
  const counters = new Map<string, number>()
  for (const key of new Set([...operations].map((operation) => operation.key))) {
    const kind = key.slice(0, key.indexOf(":"))
    if (kind === "doc") {
      const raw = (await send("GET", key)) as string | null
      lists.set(key, raw === null ? [] : (JSON.parse(raw) as { items: number[] }).items)
    } else if (kind === "row") lists.set(key, numbers((await send("HGET", key, "items")) as string | null))
    else if (kind === "log") lists.set(key, ((await send("LRANGE", key, "0", "-1")) as string[]).map(Number))
    else if (kind === "line") lists.set(key, numbers((await send("GET", key)) as string | null))
    else if (kind === "tags") sets.set(key, ((await send("SMEMBERS", key)) as string[]).map(Number))
    else counters.set(key, Number((await send("GET", key)) ?? 0))
  }
  return { lists, sets, counters }
}

/** The two accounts of a pair have 100 together, whatever moved between them. */
export async function checkAccounts(driver: Driver, prefix = ""): Promise<Anomaly[]> {
  const found: Anomaly[] = []
  for (let number = 0; number < PAIRS; number++) {
    const balances = await Promise.all(
      ["a", "b"].map(async (side) => {
        const raw = await driver.send(["GET", `${prefix}account:${number}${side}`], { safe: true })
        return (JSON.parse(raw as string) as { balance: number }).balance
      }),
    )
    const [a, b] = balances as [number, number]
    if (a + b !== 100) found.push({ kind: "lost", text: `accounts ${number} hold ${a} and ${b}`, transactions: [] })
  }
  return found
}
