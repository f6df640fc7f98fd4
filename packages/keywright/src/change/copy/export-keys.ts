/* Everything on a server, or in an RDB file, as NDJSON: all types, bytes as they are,
 * absolute deadlines, a digest of every key. In bounded memory, while the server is in
 * use; secrets only when they are asked for. */

import { defined } from "../../errors/defined.ts"
import { statSync } from "node:fs"
import type { Driver } from "../../driver/driver.ts"
import { exportFileInterrupted, exportInterrupted } from "../../errors/change.ts"
import { databasesOf } from "../../inspect/walk/databases.ts"
import type { RdbSource } from "../../inspect/snapshot/rdb-source.ts"
import { schemaOf } from "../../inspect/stats/stats.ts"
import { processOf } from "../../driver/process-of.ts"
import { type Progress, walk, type WalkOptions } from "../../inspect/walk/walk.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { plainJson } from "../../schema/json/plain-json.ts"
import { readPage, writePage } from "./export-page.ts"
import { exportRdb } from "./export-rdb.ts"
import { knowsFieldDeadlines } from "./field-deadlines.ts"
import { fileSink, functionSink, type WriteText } from "./export-sink.ts"
import { ExportTally, type Tallies } from "./export-tally.ts"
import type { WrittenKey, OwnedKey } from "./key-lines.ts"
import { LineWriter } from "./line-writer.ts"
import type { Closing, Manifest } from "./lines.ts"
import { hasSecrets, type CopiedAs, ownersOf } from "./owners.ts"

/**
 * Options of `exportKeys`.
 * @example
 * const options: ExportOptions = { only: ["cart", "user"], secrets: true }
 * await exportKeys(shop, db.$driver(), { file: "shop.ndjson" }, options)
 */
export interface ExportOptions extends Pick<WalkOptions, "match" | "rate" | "signal" | "page" | "timeoutMs"> {
  /** Only keys of these patterns, by their names in the schema; for an entity, all its keys. */
  readonly only?: readonly string[]
  /** Secrets too. */
  readonly secrets?: boolean
  /** Logical databases, instead of those that the schema names. */
  readonly databases?: readonly number[]
  readonly onProgress?: (progress: Progress) => void
}

/** Keys that are read together. */
const PAGE = 1000

/**
 * A server, or an RDB file, of which all databases are exported by default.
 * @example
 * const dump: ExportSource = { rdb: "dump.rdb" }
 * await exportKeys(undefined, dump, { file: "dump.ndjson" })
 */
export type ExportSource = Driver | RdbSource

/**
 * What `exportKeys` returns.
 * @example
 * const line = ({ keys, resumed }: ExportResult) => `${keys} keys${resumed ? ", continued" : ""}`
 */
export interface ExportResult extends Tallies {
  /** It continued the file of an interrupted export. */
  readonly resumed: boolean
}

/**
 * Exports keys to a file, or to a function that takes text. To a file, the same call
 * continues where an interrupted one stopped.
 * @example
 * const { keys } = await exportKeys(shop, db.$driver(), { file: "carts.ndjson" }, { only: ["cart"] })
 */
export async function exportKeys(
  keyspace: Keyspace | undefined,
  source: ExportSource,
  to: WriteText | { readonly file: string },
  options: ExportOptions = {},
): Promise<ExportResult> {
  const isRdb = "rdb" in source
  const databases = isRdb ? [] : await databasesOf(keyspace, source, options)
  const { match, only, secrets = false } = options
  const manifest: Manifest = {
    format: "keywright-export",
    version: 1,
    ...(keyspace !== undefined && { schema: schemaOf(keyspace) }),
    source: isRdb ? source.rdb : source.label,
    time: new Date().toISOString(),
    databases: databases.map(({ db }) => db),
    ...defined({ match, only }),
    secrets,
  }
  // A place in another file of that name, or of another process, is not where this export stopped.
  const origin = isRdb ? fileMark(source.rdb) : await processOf(source).catch(interruptedAtOnce)
  const fieldDeadlines = !isRdb && (await knowsFieldDeadlines(source).catch(interruptedAtOnce))
  const stamp = JSON.stringify({ ...manifest, time: "", origin, asked: options.databases })
  const sink = typeof to === "function" ? functionSink(to) : await fileSink(to.file, stamp)
  const tally = new ExportTally(sink.from?.tallies)
  const wants = wanted(keyspace, only, secrets)
  try {
    if (sink.from === undefined) await sink.write(`${plainJson(JSON.stringify(manifest))}\n`)
    if (isRdb) await exportRdb(keyspace, source, { ...options, wants, tally, sink })
    else {
      const owners = new Map(databases.map(({ db, keys }) => [db, ownersOf(keyspace, keys, secrets)]))
      const lines = new LineWriter()
      const flush = () => sink.write(lines.take())
      const note = ({ owner }: OwnedKey, ended: WrittenKey) => tally.note(owner.name, ended)
      let turn: Promise<void> = Promise.resolve()
      let failed = false
      const walking = { page: PAGE, ...options, ...(sink.from !== undefined && { resume: sink.from.resume }) }
      await walk(databases, walking, async ({ database, keys, resume }) => {
        const before = turn
        let done = () => {}
        turn = new Promise((resolve) => (done = resolve))
        try {
          const ownerOf = owners.get(database.db)!
          const owned = keys.map((key) => ({ key, owner: ownerOf(key) })).filter(({ owner }) => wants(owner))
          const read = await readPage(database.driver, owned)
          // In the walk's order, so that what has been written is known.
          await before
          if (failed) return
          await writePage(database.driver, read, fieldDeadlines, lines, flush, note)
          await flush()
          sink.save(() => ({ resume, tallies: tally.result() }))
        } catch (error) {
          failed = true // What comes after a gap is not written.
          throw error
        } finally {
          done()
        }
      })
    }
    const closing: Closing = { end: true, ...tally.result() }
    await sink.write(`${plainJson(JSON.stringify(closing))}\n`)
    sink.finish()
    return { ...tally.result(), resumed: sink.from !== undefined }
  } catch (error) {
    throw isRdb ? exportFileInterrupted(source.rdb, tally.keys, error) : exportInterrupted(tally.keys, error)
  } finally {
    sink.close()
  }
}

function interruptedAtOnce(error: unknown): never {
  throw exportInterrupted(0, error)
}

/** Another one for each file that is put in its place; a missing one is reported by those who read it. */
function fileMark(path: string): string {
  const { ino, size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { ino: 0, size: 0, mtimeMs: 0 }
  return [ino, size, mtimeMs].join(" ")
}

/**
 * Which keys are exported. The toolkit's own notes may hold secrets, so they are exported only with secrets; how far a
 * copy got concerns only the server that it was made to.
 */
function wanted(
  keyspace: Keyspace | undefined,
  only: readonly string[] | undefined,
  secrets: boolean,
): (owner: CopiedAs) => boolean {
  const withToolkit = secrets || !hasSecrets(keyspace)
  return ({ row, toolkit }) => {
    if (toolkit && (!withToolkit || row!.name === "keywright.copy")) return false
    if (only === undefined) return true
    return (
      row !== undefined && (only.includes(row.name) || (row.entity !== undefined && only.includes(row.entity.name)))
    )
  }
}
