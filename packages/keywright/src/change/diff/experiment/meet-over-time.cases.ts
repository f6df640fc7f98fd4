import type { Key } from "../../../schema/key.ts"
import type { Verdicts } from "../verdict.ts"
import { slack } from "./meet.cases.ts"
import { worst, type Outcome, type Stage } from "./program.cases.ts"

/** A writer that reads, or writes again, when half of the time is over: where is the deadline then? */
export async function meetOverTime({ old, now, driver }: Stage): Promise<Verdicts<Outcome>> {
  const [was, is] = [old.key.ttl, now.key.ttl]
  const counts = (rule: Key["ttl"]) => rule !== undefined && "ms" in rule && rule.on !== "bound"
  if (!counts(was) || !counts(is))
    return { oldReader: "works", newReader: "works", oldWriter: "works", newWriter: "works" }
  const half = Math.min((was as { ms: number }).ms, (is as { ms: number }).ms) / 2
  const reader: Record<"old" | "now", Outcome[]> = { old: [], now: [] }
  const writer: Outcome[] = []
  for (const event of ["read", "write"] as const) {
    for (const [one, other, side] of [
      [old, now, "now"],
      [now, old, "old"],
    ] as const) {
      // Early, and shortly before the end.
      for (const passed of new Set([half, (one.key.ttl as { ms: number }).ms - half])) {
        await driver.send(["FLUSHALL"])
        const item = await one.write(one.items[0]!)
        await one.age(item, passed)
        await (event === "read" ? one.read(item) : one.write(item))
        const left = await one.left(item)
        const due = dueAfter(other.key, passed, event)
        reader[side].push(left < due - slack ? "silent" : "works")
        if (one === old) writer.push(Math.abs(left - due) > slack ? "silent" : "works")
      }
    }
  }
  return { oldReader: worst(reader.old), newReader: worst(reader.now), oldWriter: worst(writer), newWriter: "works" }
}

/** What a schema promises to be left, when this happened after this long. */
function dueAfter({ ttl }: Key, passed: number, event: "read" | "write"): number {
  const { on, ms } = ttl as { on: string; ms: number }
  return on === "access" || (on === "write" && event === "write") ? ms : ms - passed
}
