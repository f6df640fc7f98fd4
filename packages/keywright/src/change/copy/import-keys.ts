/* Writing an export into a server: checked first, then written key by key, read back
 * and compared; then what is derived from it is rebuilt.
 *
 * Nothing is written before the whole export has been compared with its digests. A
 * key appears whole or not at all, and a file next to the export notes how far the import
 * got: the same call continues after a crash, if what it wrote is still there. An existing key that is equal to what would
 * be imported is not a conflict, so importing some of them twice does no harm. */

import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Driver, Wire } from "../../driver/driver.ts"
import { importDamaged, importInterrupted } from "../../errors/change.ts"
import { isKeywrightError, SchemaError } from "../../errors/error.ts"
import type { AuditOptions } from "../../inspect/audit/audit.ts"
import { databasesOf } from "../../inspect/walk/databases.ts"
import { patient } from "../../inspect/walk/patient.ts"
import { groupBy } from "../../schema/group-by.ts"
import { fingerprint } from "../../schema/json/fingerprint.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { longestLife } from "../../schema/ttl.ts"
import { serverMark } from "../server-mark.ts"
import { wireOf } from "../plan/word.ts"
import type { KeyDigest } from "./digest.ts"
import { digestOf, digestOnServer, digestsOnServer } from "./export-page.ts"
import { LargeKey } from "./large-key.ts"
import { type Admit, admission } from "./import-admission.ts"
import { checkExport } from "./import-check.ts"
import { partOfLine, readLine, requireContinued, withoutClasses } from "./import-line.ts"
import { noteFault } from "./import-note.ts"
import { databasesIn, linesOf, manifestOf } from "./import-lines.ts"
import { ImportNotes, type ImportPlace } from "./import-progress.ts"
import type { ValuePart } from "./key-value.ts"
import type { KeyLine, Manifest } from "./lines.ts"
import { type CopiedAs, type OwnerOf, ownersOf, showKey } from "./owners.ts"
import { rebuild, type Rebuilt } from "./rebuild.ts"
import { isOver, type WholeKey, writeKeys } from "./write-keys.ts"

/**
 * Options of `importKeys`: above all, what happens to keys that exist.
 * @example
 * const options: ImportOptions = { mode: "overwrite", rebuild: true }
 * await importKeys(shop, db.$driver(), { file: "shop.ndjson" }, options)
 */
export interface ImportOptions {
  /** What happens where a key exists with another value: nothing is imported at all (`fail`, the default), it stays, or it is replaced. */
  readonly mode?: "skip" | "overwrite" | "fail"
  /** Keys that the schema does not own, or declares with another type: refused, or imported as they are. Default: `"refuse"` */
  readonly foreign?: "refuse" | "import"
  /** Keys whose secrets were left out of the export: refused by default; true skips them. */
  readonly leftOut?: "refuse" | "skip"
  /** Values of modules, which only the module can look into, are restored. Default: they are refused. */
  readonly modules?: boolean
  /** Values are in the form of Spring's GenericJackson2JsonRedisSerializer. */
  readonly jackson?: boolean
  /** Rebuild indexes and raise counters afterwards. Default: yes. Needs the keyspace. */
  readonly rebuild?: boolean
  /** What the application accepts, as for `audit`: rebuilding leaves it alone. */
  readonly accept?: NonNullable<AuditOptions["accept"]>
  readonly onProgress?: (progress: { readonly done: number; readonly of: number }) => void
  readonly signal?: AbortSignal
  /** When a server that does not answer is given up. Default: after 20 s. */
  readonly timeoutMs?: number
}

/**
 * What `importKeys` returns.
 * @example
 * const complete = ({ keys, written, same }: ImportResult) => written + same === keys
 */
export interface ImportResult {
  /** In the export. */
  readonly keys: number
  readonly written: number
  /** Left as they were. In mode `fail` this means that the export contains the key twice, or somebody wrote it meanwhile. */
  readonly skipped: number
  /** They existed already, with the same value. */
  readonly same: number
  /** Their time was over. */
  readonly expired: number
  /** Their secrets had been left out. */
  readonly leftOut: number
  /** The export has no value of them: they could not be read. */
  readonly unreadable: number
  /** Recorded schemas (`keywright record`) that are not the one of this import: they stay behind. */
  readonly otherRecorded: number
  /** Read back and not as written: somebody else changed them meanwhile, or a later line of the export did. */
  readonly different: number
  readonly resumed: boolean
  /** The export names another schema: keys are checked by this one all the same. */
  readonly otherSchema: boolean
  readonly rebuilt?: Rebuilt
}

const NOTHING = {
  ...{ written: 0, skipped: 0, same: 0, expired: 0 },
  ...{ leftOut: 0, unreadable: 0, otherRecorded: 0, different: 0 },
}
type ImportCounts = typeof NOTHING
type Position = ImportPlace<ImportCounts>

const BATCH_KEYS = 200
const BATCH_BYTES = 2_000_000
const SAVE_EVERY_MS = 100

/**
 * Imports what `exportKeys` wrote: from a file, or from its bytes as they come. Values are read back and compared.
 * @example
 * const { written, skipped } = await importKeys(shop, db.$driver(), { file: "shop.ndjson" }, { mode: "skip" })
 */
export async function importKeys(
  keyspace: Keyspace | undefined,
  driver: Driver,
  from: { readonly file: string } | AsyncIterable<string | Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportResult> {
  if ("file" in from) return new Import(keyspace, driver, from.file, options).run(true)
  const folder = mkdtempSync(join(tmpdir(), "keywright-import-"))
  try {
    const file = join(folder, "export.ndjson")
    const out = openSync(file, "w", 0o600)
    try {
      for await (const chunk of from) writeFileSync(out, chunk)
    } finally {
      closeSync(out)
    }
    return await new Import(keyspace, driver, file, options).run(false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface CheckedLine {
  readonly line: KeyLine
  readonly key: Wire
  readonly part: ValuePart
  readonly digest: string
}

class Import {
  readonly #keyspace: Keyspace | undefined
  readonly #driver: Driver
  readonly #file: string
  readonly #options: ImportOptions
  readonly #drivers = new Map<number, Promise<Driver>>()
  readonly #owners = new Map<number, OwnerOf>()
  /** The databases of the export. */
  #from: readonly number[] = []
  readonly #admit: Admit
  readonly #counts: ImportCounts = { ...NOTHING }

  constructor(keyspace: Keyspace | undefined, driver: Driver, file: string, options: ImportOptions) {
    this.#keyspace = keyspace
    this.#driver = driver
    this.#file = file
    this.#options = options
    this.#admit = (...line) =>
      admission({
        databases: this.#from,
        owner: (db, key) => this.#owner(db, key),
        foreign: keyspace === undefined || options.foreign === "import",
        noteFault: (...note) => noteFault(keyspace!, ...note),
        modules: options.modules === true,
        show: (db, key) => this.#show(db, key),
      })(...line)
  }

  async run(mayResume: boolean): Promise<ImportResult> {
    const { mode = "fail", leftOut = "refuse", jackson = false } = this.#options
    const { manifest, end } = await manifestOf(this.#file)
    this.#from = manifest.databases.length > 0 ? manifest.databases : await databasesIn(this.#file)
    const stamp = JSON.stringify([manifest, mode, leftOut, jackson])
    try {
      const server = await serverMark(this.#driver)
      const notes = mayResume ? new ImportNotes<ImportCounts>(this.#file, stamp, server) : undefined
      try {
        return await this.#run(manifest, end, notes)
      } finally {
        notes?.close()
      }
    } catch (error) {
      if (error instanceof SchemaError || (isKeywrightError(error) && error.code.startsWith("IMPORT."))) throw error
      throw importInterrupted(this.#done(), error)
    }
  }

  async #run(manifest: Manifest, end: number, notes: ImportNotes<ImportCounts> | undefined): Promise<ImportResult> {
    await this.#prepare()
    const { keys, from } = await this.#check(notes?.read())
    if (from !== undefined) Object.assign(this.#counts, from.counts)
    let told = 0
    const note = (offset: number, line: number) => {
      this.#options.onProgress?.({ done: this.#done(), of: keys })
      if (notes === undefined || performance.now() - told < SAVE_EVERY_MS) return
      told = performance.now()
      notes.write({ offset, line, counts: this.#counts })
    }
    if (from === undefined) note(end, 1)
    await this.#write(from?.offset ?? end, from?.line ?? 1, note)
    const rebuilt =
      this.#keyspace === undefined || this.#options.rebuild === false
        ? undefined
        : await rebuild(this.#keyspace, this.#driver, this.#options)
    notes?.finish()
    return {
      keys,
      ...this.#counts,
      resumed: from !== undefined,
      otherSchema: isOfOther(this.#keyspace, manifest),
      ...(rebuilt !== undefined && { rebuilt }),
    }
  }

  /**
   * Checks the export, also when its import is continued: the file may have been replaced. Existing keys
   * are a conflict, except where an import is continued; it is not continued if the file or the server has changed.
   */
  async #check(noted: Position | undefined): Promise<{ readonly keys: number; readonly from?: Position }> {
    const { mode = "fail", leftOut = "refuse", jackson = false, signal } = this.#options
    const { keys, isPlace } = await checkExport(this.#file, {
      driverOf: (db) => this.#database(db),
      show: (db, key) => this.#show(db, key),
      admit: this.#admit,
      mode: noted === undefined ? mode : "skip",
      leftOut,
      jackson,
      rowOf: (db, key) => this.#owner(db, key)?.row,
      ...(noted !== undefined && { from: noted }),
      ...(signal !== undefined && { signal }),
    })
    if (noted === undefined) return { keys }
    return isPlace ? { keys, from: noted } : this.#check(undefined)
  }

  #done(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count, 0) - this.#counts.different
  }

  async #prepare(): Promise<void> {
    for (const { db, keys } of await databasesOf(this.#keyspace, this.#driver, {}))
      this.#owners.set(db, ownersOf(this.#keyspace, keys, true))
  }

  /** The destination of a database's keys: the driver's own database, unless databases have a meaning. */
  #place(db: number): number {
    const isOnly = this.#from.length === 1 && this.#from[0] === db
    return isOnly && this.#owners.size <= 1 ? ([...this.#owners.keys()][0] ?? this.#driver.db) : db
  }

  #database(from: number): Promise<Driver> {
    const db = this.#place(from)
    let found = this.#drivers.get(db)
    if (found === undefined) {
      const here = patient(this.#driver, this.#options.timeoutMs ?? 20_000, this.#options.signal)
      this.#drivers.set(db, (found = db === this.#driver.db ? Promise.resolve(here) : here.database(db)))
    }
    return found
  }

  #owner(from: number, key: Wire): CopiedAs | undefined {
    return this.#owners.get(this.#place(from))?.(key)
  }

  #show(db: number, key: Wire): string {
    return showKey(key, this.#owner(db, key)?.row, this.#keyspace?.keys ?? [])
  }

  /** What is written is what was checked, whatever has become of the file since. */
  #requireSame(digest: string | KeyDigest, line: KeyLine, number: number): void {
    if (String(digest) !== line.digest) throw importDamaged(number, this.#show(line.db, wireOf(line.key)))
  }

  /** Batches of whole keys; those of several lines by themselves. */
  async #write(offset: number, line: number, note: (offset: number, line: number) => void): Promise<void> {
    let batch: CheckedLine[] = []
    let bytes = 0
    let large: LargeKey | undefined
    let begun: KeyLine | undefined
    const flush = async () => {
      await this.#writeBatch(batch)
      batch = []
      bytes = 0
    }
    for await (const { text, number, end } of linesOf(this.#file, offset, line)) {
      const one = readLine(text, number)
      requireContinued(begun, one, number)
      if ("end" in one) break
      begun = one.more === true ? one : undefined
      this.#options.signal?.throwIfAborted()
      if (one.leftOut !== undefined || one.unreadable !== undefined) {
        await large?.drop()
        large = undefined
        if (one.more === undefined) this.#counts[one.unreadable === undefined ? "leftOut" : "unreadable"]++
        continue
      }
      const read = partOfLine(one, number)
      const key = wireOf(one.key)
      const part = this.#options.jackson === true ? withoutClasses(read, this.#owner(one.db, key)?.row) : read
      if (!(await this.#admit(one, part, number))) {
        this.#counts.otherRecorded++
        continue
      }
      if (one.more === true || large !== undefined) {
        if (large === undefined) {
          await flush()
          large = new LargeKey(await this.#database(one.db), key, one.type)
          await large.drop()
        }
        await large.add(part, read)
        if (one.more === true) continue
        this.#requireSame(large.checked.end(one.pexpireat), one, number)
        await this.#finish(large, one, key)
        large = undefined
        note(end, number)
        continue
      }
      this.#requireSame(digestOf(key, read, one.pexpireat), one, number)
      batch.push({ line: one, key, part, digest: digestOf(key, part, one.pexpireat) })
      bytes += text.length
      if (batch.length < BATCH_KEYS && bytes < BATCH_BYTES) continue
      await flush()
      note(end, number)
    }
    await flush()
  }

  async #finish(large: LargeKey, { db, pexpireat }: KeyLine, key: Wire): Promise<void> {
    const driver = await this.#database(db)
    if (isOver(pexpireat)) {
      this.#counts.expired++
      return large.drop()
    }
    const digest = large.digest.end(pexpireat).toString()
    if (!(await large.move(this.#options.mode === "overwrite" ? "overwrite" : "skip", pexpireat))) {
      this.#counts[(await digestOnServer(driver, key)) === digest ? "same" : "skipped"]++
      return
    }
    this.#counts.written++
    if ((await digestOnServer(driver, key)) !== digest) this.#counts.different++
  }

  async #writeBatch(batch: readonly CheckedLine[]): Promise<void> {
    const living = batch.filter(({ line }) => !isOver(line.pexpireat))
    this.#counts.expired += batch.length - living.length
    for (const [db, here] of groupBy(living, ({ line }) => line.db)) {
      const driver = await this.#database(db)
      const whole = here.map((one) => this.#whole(one))
      const outcomes = await writeKeys(driver, whole)
      await this.#verify(driver, here, outcomes)
    }
  }

  #whole({ line: { db, type, pexpireat }, key, part }: CheckedLine): WholeKey {
    const row = this.#owner(db, key)?.row
    const isCounter = row?.entity?.role === "counter" && type === "string"
    return {
      key,
      part,
      // A counter that expired would hand out its ids again.
      pexpireat: isCounter && longestLife(row.ttl) === undefined ? undefined : pexpireat,
      mode: isCounter ? "counter" : this.#options.mode === "overwrite" ? "overwrite" : "skip",
    }
  }

  /** Reads back what was written, and what was there instead. */
  async #verify(driver: Driver, keys: readonly CheckedLine[], outcomes: string): Promise<void> {
    const written = keys.map(({ key, line }) => ({ key, type: line.type }))
    const found = await digestsOnServer(driver, written)
    keys.forEach(({ key, digest, line }, i) => {
      const isSame = found.get(key) === digest
      const isCounter = this.#owner(line.db, key)?.row?.entity?.role === "counter"
      if (outcomes[i] === "0") this.#counts[isSame ? "same" : "skipped"]++
      else {
        this.#counts.written++
        if (!isSame && !isCounter && !isOver(line.pexpireat)) this.#counts.different++
      }
    })
  }
}

/** An export without a schema names none. */
const isOfOther = (keyspace: Keyspace | undefined, { schema }: Manifest): boolean =>
  keyspace !== undefined && schema !== undefined && schema.fingerprint !== fingerprint(keyspace)
