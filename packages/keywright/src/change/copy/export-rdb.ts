/* The keys of an RDB file as lines of an export. Streams and modules are not decoded
 * there: their lines say so. */

import type { Reply } from "../../driver/driver.ts"
import { type RdbRecord, readRdb } from "../../inspect/rdb/index.ts"
import { globMatcher } from "../../inspect/glob.ts"
import { asWire } from "../../inspect/wire.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { wholeKey } from "./export-page.ts"
import type { Sink } from "./export-sink.ts"
import type { ExportTally } from "./export-tally.ts"
import type { ExportOptions } from "./export-keys.ts"
import { type KeyLine, lineWord } from "./lines.ts"
import { type Owner, ownersOf } from "./owners.ts"

interface RdbExport extends ExportOptions {
  readonly wants: (owner: Owner) => boolean
  readonly tally: ExportTally
  readonly sink: Sink
}

export async function exportRdb(keyspace: Keyspace | undefined, path: string, options: RdbExport): Promise<void> {
  const { sink, tally, secrets = false, databases } = options
  const skip = sink.from === undefined ? 0 : Number(sink.from.resume)
  const matches = options.match === undefined ? () => true : globMatcher(options.match)
  const owners = new Map<number, ReturnType<typeof ownersOf>>()
  const ownerOf = (db: number) => {
    let of = owners.get(db)
    const keys = (keyspace?.keys ?? []).filter((key) => key.db === db)
    if (of === undefined) owners.set(db, (of = ownersOf(keyspace, keys, secrets)))
    return of
  }
  let seen = 0
  for await (const batch of readRdb(path, { values: "full" })) {
    options.signal?.throwIfAborted()
    if (seen + batch.length <= skip) {
      seen += batch.length
      continue
    }
    let text = ""
    for (const record of batch) {
      if (seen++ < skip || (databases !== undefined && !databases.includes(record.db))) continue
      const key = asWire(record.key)
      const owner = ownerOf(record.db)(key)
      if (!options.wants(owner) || !matches(record.key)) continue
      text += lineOf(record, owner, tally)
    }
    await sink.write(text)
    const resume = String(seen)
    sink.save(() => ({ resume, tallies: tally.result() }))
  }
}

function lineOf(record: RdbRecord, owner: Owner, tally: ExportTally): string {
  const key = asWire(record.key)
  const { type, db } = record
  const reason = unreadable(record)
  if (reason !== undefined) {
    tally.add(owner.name, undefined)
    tally.unreadable++
    const shown = owner.leave?.show?.(key as string) ?? key
    const line: KeyLine = { db, key: lineWord(shown), type: type === "stream" ? type : "other", unreadable: reason }
    return `${JSON.stringify(line)}\n`
  }
  const elements = elementsOf(record)
  const part = { type: type as Exclude<typeof type, "module">, elements }
  const { text, ended } = wholeKey(db, { key, owner }, record.expireAtMs, part)
  tally.add(owner.name, ended.digest)
  if (ended.leftOut) tally.leftOut++
  return text
}

function unreadable(record: RdbRecord): string | undefined {
  if (record.type === "stream" || record.type === "module") return `a ${record.type}, which an RDB file does not tell`
  if (record.value === undefined || record.cut) return "a value that was not read"
  const hasFieldTtl = record.type === "hash" && record.value.some((pair) => pair.length === 3)
  return hasFieldTtl ? "a hash whose fields expire" : undefined
}

function elementsOf(record: RdbRecord): Reply[] {
  if (record.type === "string") return [asWire(record.value!)]
  if (record.type === "zset") return record.value!.flatMap(([member, score]) => [asWire(member), scoreText(score)])
  if (record.type === "hash") return record.value!.flatMap(([field, value]) => [asWire(field), asWire(value)])
  return (record.value as readonly Buffer[]).map((one) => asWire(one))
}

const scoreText = (score: number): string => (score === Infinity ? "inf" : score === -Infinity ? "-inf" : String(score))
