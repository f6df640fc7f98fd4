/* Before anything is written: the whole export is read and compared with its own
 * digests, and with what is on the server where nothing may be written over. */

import type { Driver, Wire } from "../../driver/driver.ts"
import {
  importCut,
  importDamaged,
  importExists,
  importLeftOut,
  importMismatch,
  importRefused,
  importUnreadable,
} from "../../errors/change.ts"
import { isRefusal } from "../../inspect/walk/refusal.ts"
import { groupBy } from "../../schema/group-by.ts"
import { askEach } from "../ask-each.ts"
import { wireOf } from "../plan/word.ts"
import { DigestSum, KeyDigest } from "./digest.ts"
import { digestOnServer } from "./export-page.ts"
import { ExportTally } from "./export-tally.ts"
import { partOfLine, readLine, requireContinued, withoutClasses } from "./import-line.ts"
import type { Admit } from "./import-admission.ts"
import { linesOf } from "./import-lines.ts"
import { digestPart } from "./key-value.ts"
import type { Key } from "../../schema/key.ts"
import { StreamOrder } from "./stream-order.ts"
import type { KeyLine } from "./lines.ts"
import { isOver } from "./write-keys.ts"

export interface CheckOptions {
  readonly driverOf: (db: number) => Promise<Driver>
  /** A key as errors may show it. */
  readonly show: (db: number, key: Wire) => string
  readonly admit: Admit
  /** Where an import that is being continued had stopped. */
  readonly from?: { readonly offset: number; readonly line: number }
  readonly mode: "skip" | "overwrite" | "fail"
  readonly leftOut: "refuse" | "skip"
  readonly jackson: boolean
  /** The pattern of a key at its destination. */
  readonly rowOf: (db: number, key: Wire) => Key | undefined
  readonly signal?: AbortSignal
}

interface Suspect {
  readonly db: number
  readonly key: Wire
  readonly digest: string
  readonly pexpireat: number | undefined
}

const AT_ONCE = 500

export interface CheckedExport {
  /** How many keys there are to import. */
  readonly keys: number
  /** `from` is the end of a key, and all keys up to there are on the server. */
  readonly isPlace: boolean
}

/** Reads the whole of it, and throws when it cannot be imported. */
export async function checkExport(path: string, options: CheckOptions): Promise<CheckedExport> {
  const { from, show } = options
  let isPlace = false
  const tally = new ExportTally()
  const total = new DigestSum()
  let digest: KeyDigest | undefined
  let changed: KeyDigest | undefined
  let suspects: Suspect[] = []
  const conflicts: string[] = []
  let areThere = true
  let isClosed = false
  let begun: KeyLine | undefined
  let isEmpty = true
  let order = new StreamOrder()
  const compare = async () => {
    if (options.mode === "fail") conflicts.push(...(await conflicting(suspects, options)))
    else areThere &&= await areAllThere(suspects, options)
    suspects = []
  }
  for await (const { text, number, end } of linesOf(path)) {
    const isHere = end === from?.offset && number === from.line
    if (number === 1) {
      isPlace = isHere
      continue
    }
    if (isClosed) throw importRefused(number, "it comes after the closing line")
    options.signal?.throwIfAborted()
    const line = readLine(text, number)
    requireContinued(begun, line, number)
    begun = "end" in line || line.more !== true ? undefined : line
    if ("end" in line) {
      if (line.keys !== tally.keys) throw importMismatch(`${line.keys} keys are announced, ${tally.keys} are there`)
      const announced = new DigestSum()
      for (const { digest: one } of Object.values(line.patterns)) announced.add(DigestSum.of(one))
      if (announced.toString() !== total.toString()) throw importMismatch("its digests differ")
      isClosed = true
      continue
    }
    if (line.leftOut !== undefined || line.unreadable !== undefined) {
      if (line.unreadable !== undefined && options.leftOut !== "skip")
        throw importUnreadable(number, show(line.db, wireOf(line.key)), line.unreadable)
      if (options.leftOut !== "skip") throw importLeftOut(number, show(line.db, wireOf(line.key)))
      if (line.more === undefined) tally.add("", undefined)
      isPlace ||= isHere && line.more === undefined
      digest = changed = undefined
      isEmpty = true
      order = new StreamOrder()
      continue
    }
    const part = partOfLine(line, number)
    const fault = order.fault(part)
    if (fault !== undefined) throw importRefused(number, fault)
    const key = wireOf(line.key)
    const written = options.jackson ? withoutClasses(part, options.rowOf(line.db, key)) : part
    const isImported = await options.admit(line, written, number)
    digestPart((digest ??= KeyDigest.of(line.type, key)), part)
    if (options.jackson) digestPart((changed ??= KeyDigest.of(line.type, key)), written)
    isEmpty &&= part.elements.length === 0
    if (line.more === true) continue
    // No server keeps an empty collection, except a stream.
    if (isEmpty && line.type !== "stream") throw importRefused(number, `its ${line.type} is empty`)
    isEmpty = true
    order = new StreamOrder()
    const found = digest.end(line.pexpireat)
    if (found.toString() !== line.digest) throw importDamaged(number, show(line.db, key))
    const isDone = from !== undefined && !isPlace
    isPlace ||= isHere
    tally.add("", found)
    total.add(found)
    if ((options.mode === "fail" || isDone) && isImported) {
      const { db, pexpireat } = line
      suspects.push({ db, key, digest: (changed?.end(pexpireat) ?? found).toString(), pexpireat })
      if (suspects.length >= AT_ONCE) await compare()
    }
    digest = changed = undefined
  }
  if (!isClosed) throw importCut()
  await compare()
  if (conflicts.length > 0) throw importExists(conflicts[0]!, conflicts.length)
  return { keys: tally.keys, isPlace: isPlace && areThere }
}

/** Those that exist, and are not what would be imported. */
async function conflicting(suspects: readonly Suspect[], options: CheckOptions): Promise<string[]> {
  const conflicts: string[] = []
  for (const { driver, one, exists } of await existing(suspects, options))
    if (exists && (await digestOnServer(driver, one.key)) !== one.digest) conflicts.push(options.show(one.db, one.key))
  return conflicts
}

/** Whether each of them exists, unless its time is over. */
const areAllThere = async (suspects: readonly Suspect[], options: CheckOptions): Promise<boolean> =>
  (await existing(suspects, options)).every(({ one, exists }) => exists || isOver(one.pexpireat))

interface Found {
  readonly driver: Driver
  readonly one: Suspect
  readonly exists: boolean
}

async function existing(suspects: readonly Suspect[], { driverOf }: CheckOptions): Promise<Found[]> {
  const all: Found[] = []
  for (const [db, here] of groupBy(suspects, (one) => one.db)) {
    const driver = await driverOf(db)
    const replies = await askEach(driver, here, ({ key }) => ["EXISTS", key])
    const refusal = replies.find(isRefusal)
    if (refusal !== undefined) throw refusal
    all.push(...here.map((one, i) => ({ driver, one, exists: replies[i] === 1 })))
  }
  return all
}
