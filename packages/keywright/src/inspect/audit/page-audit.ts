/* One page of a walk, audited: every key classified and read, every check made, every
 * suspicion confirmed. */

import type { Command, Reply, Wire } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { ownerIn, type OwningPatterns, patternsIn } from "../model/owning-patterns.ts"
import { SAFE, SAFE_BYTES } from "../../driver/safe.ts"
import type { Page } from "../walk/walk.ts"
import { isText, showWire, sizeOfReply } from "../walk/wire.ts"
import type { AuditOptions } from "./audit.ts"
import { type Checking, checksFor } from "./checks/checks.ts"
import { readFrom } from "./finding.ts"
import { Inquiry, type ReportFinding } from "./inquiry.ts"
import type { Later } from "./later.ts"
import type { ParamTexts } from "../model/entity-model.ts"
import { lengthCommandOf } from "./checks/keep.ts"
import type { Model, KeyModel } from "../model/model.ts"
import { firstRead, furtherParts, hasMangled, type ValuePart, partOf, readAs, unmangled } from "../model/reading.ts"
import { type AuditRule, applyRule } from "./rules.ts"
import type { CheckKey } from "./checks/check.ts"
import type { Subject } from "../model/subject.ts"
import { ttlCommandOf } from "./checks/ttl.ts"
import { checkType } from "./checks/type.ts"
import { undecidedFinding } from "./checks/undecided.ts"
import { unknownFinding } from "./checks/unknown.ts"

/** How many keys are read at once at first, and how many characters from then on. */
const FIRST_KEYS = 32
const AT_ONCE = 8_000_000

type Limits = Required<Pick<AuditOptions, "valueBytes" | "members">>

interface PreparedChecks {
  readonly row: KeyModel
  readonly checks: readonly CheckKey[]
  readonly rules: readonly AuditRule[]
  readonly ttlCommand: "PTTL" | "PEXPIRETIME"
  readonly lengthCommand: string | undefined
}

interface Owned {
  readonly prepared: PreparedChecks
  readonly key: string
  readonly params: ParamTexts
}

/** With what was read beside its value. */
interface ReadKey extends Owned {
  readonly ttl: number
  readonly length: number | undefined
}

export interface PagesOptions {
  readonly checking: Checking
  readonly rules: readonly AuditRule[]
  readonly limits: Limits
  /** What can only be judged later goes there. */
  readonly later?: Later
  /** Only keys for which this is true. */
  readonly only?: (row: KeyModel, key: string) => boolean
}

/** Audits pages; what all of them share is made once. */
export class PageAudit {
  readonly #model: Model
  readonly #report: ReportFinding
  readonly #limits: Limits
  /** Whether all checks run, not only those of indexes. */
  readonly #isWhole: boolean
  readonly #only: PagesOptions["only"]
  readonly #later: Later | undefined
  readonly #prepared: ReadonlyMap<KeyModel, PreparedChecks>
  /** By database. */
  readonly #patterns: ReadonlyMap<number, readonly OwningPatterns[]>

  constructor(model: Model, { checking, rules, limits, only, later }: PagesOptions, report: ReportFinding) {
    this.#model = model
    this.#isWhole = checking !== "indexes"
    this.#only = only
    this.#later = later
    this.#report = report
    this.#limits = limits
    this.#prepared = new Map([...model.keys.values()].map((row) => [row, prepare(row, model, rules, checking)]))
    this.#patterns = new Map(model.databases.map(({ db }) => [db, patternsIn(model, db)]))
  }

  async audit(page: Page, slow: () => void): Promise<void> {
    const inquiry = new Inquiry(this.#model, this.#report, this.#later)
    const { db } = page.database
    const owned: Owned[] = []
    for (const key of page.keys) {
      const found = isText(key) ? this.#ownerOf(db, key) : undefined
      if (found === undefined) this.#unknown(inquiry, db, key)
      else if (this.#isChecked(found)) owned.push(found)
    }
    const large: (() => Promise<void>)[] = []
    const [texts, bytes] = [
      owned.filter(({ prepared }) => !prepared.row.bytes),
      owned.filter(({ prepared }) => prepared.row.bytes),
    ]
    await Promise.all([this.#read(page, inquiry, texts, large), this.#read(page, inquiry, bytes, large)])
    await inquiry.settle()
    if (large.length > 0) slow()
    for (const more of large) await more()
    await Promise.all(
      owned.flatMap(({ prepared, key, params }) =>
        prepared.rules.map((rule) =>
          applyRule(rule, this.#model, prepared.row, key, params, this.#report, this.#later),
        ),
      ),
    )
  }

  #isChecked({ prepared: { row, checks }, key }: Owned): boolean {
    return (this.#isWhole || checks.length > 0) && this.#only?.(row, key) !== false
  }

  #ownerOf(db: number, key: string): Owned | undefined {
    const found = ownerIn(this.#patterns.get(db) ?? [], key)
    return found && { prepared: this.#prepared.get(found.row)!, key, params: found.params }
  }

  #unknown(inquiry: Inquiry, db: number, key: Wire): void {
    if (!this.#isWhole) return
    inquiry.ask(db, ["TYPE", key], (type) => {
      if (type === "none" || type instanceof KeywrightError) return
      const found = unknownFinding(db, key, type)
      inquiry.note(found, `${found.code} ${db} ${showWire(key)}`)
    })
  }

  /** Reads the keys of a page, small ones whole, and checks them: of keys with large values only some at once. */
  async #read(page: Page, inquiry: Inquiry, owned: readonly Owned[], large: (() => Promise<void>)[]): Promise<void> {
    let count = FIRST_KEYS
    for (let from = 0; from < owned.length;) {
      const some = owned.slice(from, from + count)
      from += some.length
      const size = await this.#readSome(page, inquiry, some, large)
      // The others are likely to be as large as these.
      count = Math.max(1, Math.floor((some.length * AT_ONCE) / (size + 1)))
      if (size > AT_ONCE) await inquiry.settle()
    }
  }

  /** Returns about how many characters their values have. */
  async #readSome(
    page: Page,
    inquiry: Inquiry,
    owned: readonly Owned[],
    large: (() => Promise<void>)[],
  ): Promise<number> {
    const commands: Command[] = []
    for (const { prepared, key } of owned) {
      commands.push([prepared.ttlCommand, key], firstRead(prepared.row, key))
      if (prepared.lengthCommand !== undefined) commands.push([prepared.lengthCommand, key])
    }
    const { driver } = page.database
    const replies = await driver.batch(commands, owned[0]!.prepared.row.bytes ? SAFE_BYTES : SAFE)
    let [at, size] = [0, 0]
    for (const one of owned) {
      const ttl = replies[at++]!
      const value = replies[at++]!
      const length = one.prepared.lengthCommand === undefined ? undefined : Number(replies[at++])
      size += sizeOfReply(value)
      if (typeof ttl !== "number" || ttl === -2) continue
      const { prepared, key, params } = one
      // Spelled out: with a spread for each key, an audit takes a quarter longer.
      const read = { prepared, key, params, ttl, length }
      if (!(value instanceof KeywrightError)) this.#checkRead(page, inquiry, read, value, large)
      else if (this.#isWhole) checkType(prepared.row, key, inquiry)
    }
    return size
  }

  #checkRead(page: Page, inquiry: Inquiry, one: ReadKey, value: Reply, large: (() => Promise<void>)[]): void {
    const { row } = one.prepared
    // An inferred proposal says itself what infer could not decide.
    const isUndecided = row.declared.ttl === undefined && row.declared.inferred !== true
    if (isUndecided && !row.toolkit && this.#isWhole)
      inquiry.note(undecidedFinding(row), `TTL.UNDECIDED ${row.declared.name}`)
    const part = partOf(row, value)
    const isString = row.type === "string"
    if (hasMangled(value)) large.push(() => this.#mangled(page, one))
    else if (isString && part.next !== undefined) large.push(() => this.#longString(page, one))
    else {
      checkPart(one, inquiry, part, 0)
      if (part.next !== undefined) large.push(() => this.#further(page, one, part))
    }
  }

  /** The rest of a large collection, part by part. */
  async #further(page: Page, one: ReadKey, first: ValuePart): Promise<void> {
    let offset = first.elements.length
    for await (const part of furtherParts(page.database.driver, one.prepared.row, one.key, first)) {
      if (offset >= this.#limits.members) return
      const inquiry = new Inquiry(this.#model, this.#report, this.#later)
      checkPart(one, inquiry, part, offset)
      offset += part.elements.length
      await inquiry.settle()
    }
  }

  /** A value with bytes that are not text: read again, as bytes. */
  async #mangled(page: Page, one: ReadKey): Promise<void> {
    const { row } = one.prepared
    const inquiry = new Inquiry(this.#model, this.#report, this.#later)
    const [raw] = await page.database.driver.batch([firstRead(row, one.key)], SAFE_BYTES)
    if (raw instanceof KeywrightError) return
    const read = partOf(row, raw!)
    if (row.type === "string" && read.next !== undefined) return this.#longString(page, one)
    const part = { ...read, elements: unmangled(read.elements) as readonly Reply[] }
    checkPart(one, inquiry, part, 0)
    await inquiry.settle()
    if (part.next !== undefined) await this.#further(page, one, part)
  }

  async #longString(page: Page, one: ReadKey): Promise<void> {
    const { key, prepared } = one
    const { row } = prepared
    const { driver } = page.database
    const inquiry = new Inquiry(this.#model, this.#report, this.#later)
    const [bytes] = await driver.batch([["STRLEN", key]], SAFE)
    const limit = this.#limits.valueBytes
    if (typeof bytes !== "number") return
    if (bytes > limit) {
      if (!this.#isWhole) return
      inquiry.suspect({
        code: "VALUE.TOO_LARGE",
        row,
        key,
        expected: `at most ${limit} bytes`,
        found: `${bytes} bytes, which were not read`,
        reads: [readFrom(row, ["STRLEN", key])],
        isStillWrong: ([now]) => Number(now) > limit,
      })
    } else {
      const value = await readAs(driver, row, ["GET", key])
      if (value !== null && !(value instanceof KeywrightError))
        checkPart(one, inquiry, { elements: [value], next: undefined }, 0)
    }
    await inquiry.settle()
  }
}

function checkPart(one: ReadKey, inquiry: Inquiry, { elements, next }: ValuePart, offset: number): void {
  const { row, checks } = one.prepared
  const subject: Subject = {
    row,
    key: one.key,
    params: one.params,
    ttl: one.ttl,
    length: one.length,
    elements,
    offset,
    first: offset === 0,
    last: next === undefined,
    bad: undefined,
    document: "unread",
  }
  for (const check of checks) check(subject, inquiry)
}

const prepare = (row: KeyModel, model: Model, rules: readonly AuditRule[], checking: Checking): PreparedChecks => ({
  row,
  checks: checksFor(row, model, checking),
  rules: rules.filter(({ of }) => of === row.declared.name),
  ttlCommand: ttlCommandOf(row),
  lengthCommand: lengthCommandOf(row),
})
