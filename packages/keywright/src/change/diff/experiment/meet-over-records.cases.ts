import type { Verdicts } from "../verdict.ts"
import { expected, worst, type Item, type Outcome, type Stage } from "./program.cases.ts"

/** What only shows with more than one record: values that two share, ids that two hand out, entries that are left behind. */
export async function meetOverRecords(stage: Stage): Promise<Verdicts<Outcome>> {
  const { old, now, driver } = stage
  const clear = () => driver.send(["FLUSHALL"])
  const attempt = async (work: () => Promise<unknown>): Promise<Outcome> => {
    try {
      await work()
      return "works"
    } catch (error) {
      return expected(error)
    }
  }
  const oldWriter: Outcome[] = []
  const newWriter: Outcome[] = []
  // Everything that the one has, updated by the other.
  await clear()
  const theirs: Item[] = []
  for (const item of old.items) await attempt(async () => theirs.push(await old.write(item)))
  for (const item of theirs) {
    const outcome = await attempt(() => now.write(item))
    newWriter.push(outcome === "fails" && (await attempt(() => now.peek(item))) === "fails" ? "fails to read" : outcome)
  }
  // New records beside those of the other.
  for (const [mine, other, outcomes] of [
    [now, old, newWriter],
    [old, now, oldWriter],
  ] as const) {
    await clear()
    await attempt(() => other.write({ ...other.items[0]!, params: { id: "1" } }))
    outcomes.push(await attempt(() => mine.write({ ...mine.items[1]!, params: { id: undefined } })))
  }
  // A value that a record had, and that is free again.
  await clear()
  const first = await old.write(old.items[0]!)
  const changed = await attempt(() => now.write({ ...now.items[1]!, params: first.params }))
  if (changed === "works") oldWriter.push(await attempt(() => old.write({ ...old.items[0]!, params: { id: "9" } })))
  return { oldReader: "works", newReader: "works", oldWriter: worst(oldWriter), newWriter: worst(newWriter) }
}
