/* The four of the table on one server: every sample of a writer's values is written, every reader
 * compares what it gets with what was meant; the worst that happened is the outcome.
 *
 * Wrong without an error is: another value, nothing at all, a key that ends sooner than the
 * reader's schema promises, an index that does not lead to the record; and for a writer, what
 * audit by the new schema finds of it. */

import { audit } from "../../../inspect/audit/audit.ts"
import type { Key } from "../../../schema/key.ts"
import type { Verdicts } from "../verdict.ts"
import { expected, worst, type Item, type Outcome, type Program, type Stage } from "./program.cases.ts"
import { isKept, same } from "./same-value.cases.ts"

export async function meet(stage: Stage): Promise<Verdicts<Outcome>> {
  const { old, now, driver } = stage
  const clear = () => driver.send(["FLUSHALL"])
  const found: Record<keyof Verdicts, Outcome[]> = { oldReader: [], newReader: [], oldWriter: [], newWriter: [] }
  // Every value is read once; only the first, and those that were misread, are written over.
  const places = new Set([0, 1, 2])
  const seen = new Map<string, number>()
  const noted = (who: string, outcome: Outcome, i: number) => {
    // Those that are misread for their ids must not hide those that are misread for what they hold.
    const sort = `${who} ${outcome} ${[old, now].some(({ items }) => items[i]?.params === items[0]!.params)}`
    const count = (seen.get(sort) ?? 0) + 1
    seen.set(sort, count)
    if (outcome !== "works" && count <= 2) places.add(i)
    return outcome
  }
  for (const [i, item] of now.items.entries()) {
    await clear()
    found.oldReader.push(noted("old", await readBy(old, now, await now.write(item), stage), i))
  }
  for (const [i, item] of old.items.entries()) {
    await clear()
    const there = await old.write(item)
    const read = noted("new", await readBy(now, old, there, stage), i)
    found.newReader.push(read)
    found.oldWriter.push(read, ...(i === 0 ? [await damage(stage)] : []))
  }
  for (const i of [...places].filter((one) => one < Math.max(old.items.length, now.items.length))) {
    const [item, mine] = [old.items[i % old.items.length]!, now.items[i % now.items.length]!]
    await clear()
    found.newWriter.push(await updateBy(now, old, await old.write(item), mine, stage))
    if (!(await canName(old, mine))) continue
    await clear()
    const there = await now.write(mine)
    found.oldWriter.push(await updateBy(old, now, there, item, stage), ...(i === 0 ? [await damage(stage)] : []))
    found.oldReader.push(...(await overwritten(stage, item, mine)))
  }
  return {
    oldReader: worst(found.oldReader),
    newReader: worst(found.newReader),
    oldWriter: worst(found.oldWriter),
    newWriter: worst(found.newWriter),
  }
}

/** A program reads what another wrote. */
async function readBy(reader: Program, writer: Program, item: Item, stage: Stage): Promise<Outcome> {
  try {
    const left = await reader.left(item)
    const got = await reader.read(item)
    if (!same(got, item, reader, writer, stage)) return "silent"
    return left < promised(reader.key) ? "silent" : "works"
  } catch (error) {
    return expected(error)
  }
}

/** A program that finds what another wrote: reads it, and writes its own under the same id. */
async function updateBy(program: Program, other: Program, there: Item, item: Item, stage: Stage): Promise<Outcome> {
  let before: unknown
  let first: Outcome = "works"
  let isOtherType = false
  try {
    before = await program.peek(there)
    if (!same(before, there, program, other, stage)) first = "silent"
  } catch (error) {
    first = expected(error) === "fails" ? "fails to read" : "silent"
    isOtherType = (error as { code?: string }).code === "SERVER.WRONGTYPE"
  }
  try {
    const own = await program.write({ ...item, params: there.params })
    // A SET over a key of another type: the old value is lost, and nobody notices.
    if (isOtherType) return "silent"
    const after = await program.read(own)
    if (!same(after, own, program, program, stage)) return "silent"
    return worst([first, isKept(before, after, other.key) ? "works" : "silent"])
  } catch (error) {
    // What made reading fail makes reading again fail.
    return first === "fails to read" && !isOtherType ? first : worst([first, expected(error)])
  }
}

/** The old reader again, where a new program has written over what was there. */
async function overwritten({ old, now, driver }: Stage, item: Item, mine: Item): Promise<Outcome[]> {
  await driver.send(["FLUSHALL"])
  // Under an id that both can name.
  const there = await old.write({ ...item, params: mine.params })
  const before = await old.peek(there).catch(() => undefined)
  try {
    await now.write({ ...mine, params: there.params })
  } catch {
    return []
  }
  try {
    return [isKept(before, await old.peek(there), old.key) ? "works" : "silent"]
  } catch (error) {
    return [expected(error)]
  }
}

/** What audit by the new schema finds of what an old writer has left. */
async function damage({ old, now, driver }: Stage): Promise<Outcome> {
  const { summary } = await audit(now.keyspace, driver, { databases: [...new Set([old.key.db, now.key.db])] })
  const codes = Object.keys(summary).filter((code) => !/^(KEY|VALUE\.(?!TOO_MANY)|TTL\.UNDECIDED)/.test(code))
  return codes.length > 0 ? "silent" : "works"
}

async function canName(program: Program, item: Item): Promise<boolean> {
  try {
    await program.left(item)
    return true
  } catch {
    return false
  }
}

export const slack = 60_000

const promised = ({ ttl }: Key): number => {
  if (ttl === undefined || ttl.on === "never") return Infinity
  if (ttl.on === "bound") return 0
  const ms = ttl.on === "choice" ? Math.min(...ttl.choices.map((one) => (one === "never" ? Infinity : one))) : ttl.ms
  return ms - slack
}
