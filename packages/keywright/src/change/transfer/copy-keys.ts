/* From one server to another, by the same schema, which may have another placement there:
 * one server becomes a cluster. The source stays in use: rounds are repeated until little
 * changes between them. Then, if a pause is allowed, writers wait while the last round is
 * copied and both sides are compared. */

import type { Command, Driver } from "../../driver/driver.ts"
import {
  copyInterrupted,
  copyPauseOver,
  copyRefused,
  copySameServer,
  copySwitchedLate,
  copySwitchFailed,
} from "../../errors/change.ts"
import { isKeywrightError, type KeywrightError } from "../../errors/error.ts"
import { reasonOf } from "../../errors/failed-at.ts"
import { keyOf, Unreadable } from "../../inspect/model/unreadable.ts"
import { databasesOf } from "../../inspect/walk/databases.ts"
import { reasonOfRefusal } from "../../inspect/walk/refusal.ts"
import type { Progress, WalkOptions } from "../../inspect/walk/walk.ts"
import { fingerprint } from "../../schema/json/fingerprint.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { knowsFieldDeadlines } from "../copy/field-deadlines.ts"
import { ExportTally } from "../copy/export-tally.ts"
import { Notebook, requireEmpty } from "./copy-note.ts"
import { type CopyCounts, copyRound, dropGone, type CopyRoute, sumsOf } from "./copy-round.ts"
import { type Pause, pauseWrites, requirePrimaries } from "./pause-writes.ts"
import { origin, relocation } from "./relocate.ts"

/**
 * Options of `copyKeys`.
 * @example
 * const options: CopyOptions = { to: withTag(shop, "acme"), pauseMs: 10_000 }
 */
export interface CopyOptions extends Pick<WalkOptions, "rate" | "signal" | "timeoutMs"> {
  /** The schema in its placement on the target. Default: the same. */
  readonly to?: Keyspace
  /**
   * For how long writers may wait at the end (CLIENT PAUSE … WRITE on the source). Without it, the source is not touched,
   * and what changes during the last round is not copied.
   */
  readonly pauseMs?: number
  /** Called while writers wait and both sides are equal: the moment to lead programs to the target. */
  readonly onEqual?: () => Promise<void>
  /** The maximum number of rounds until writers are paused, or the copy ends. Default: 20. */
  readonly rounds?: number
  /** Keys that no pattern owns, too, under the same names. Default: they are counted and left. */
  readonly foreign?: boolean
  /** Values of modules, which only the module can look into, of keys that no pattern owns. Default: they are refused. */
  readonly modules?: boolean
  /** What the target has may be overwritten, and deleted where the source does not have it. */
  readonly overwrite?: boolean
  readonly onProgress?: (progress: CopyProgress) => void
}

/**
 * How far a copy is.
 * @example
 * const line = ({ round, progress }: CopyProgress) => `round ${round}: ${progress.keys} of ${progress.of}`
 */
export interface CopyProgress {
  readonly round: number
  readonly progress: Progress
}

/**
 * One pass over the source.
 * @example
 * const quiet = ({ written, deleted }: CopyRound) => written + deleted === 0
 */
export interface CopyRound {
  readonly keys: number
  readonly written: number
  readonly deleted: number
}

/**
 * What `copyKeys` returns.
 * @example
 * const done = ({ verified, foreign }: CopyResult) => verified && foreign === 0
 */
export interface CopyResult {
  readonly keys: number
  readonly rounds: readonly CopyRound[]
  /** Keys of the source that no pattern owns. */
  readonly foreign: number
  /** Of these, those whose names a pattern of the target owns: they are never copied, since something else belongs there. */
  readonly inTheWay: number
  /** By pattern of the target: how many keys each side has, and whether the digests of all of them are equal. */
  readonly patterns: Readonly<Record<string, { readonly from: number; readonly to: number; readonly same: boolean }>>
  /** Both sides are equal, pattern by pattern. */
  readonly verified: boolean
  /** For how many milliseconds writers waited. */
  readonly pausedMs: number | undefined
  /** What could not be cleaned up afterwards, and why: it goes by itself. */
  readonly left?: readonly string[]
  readonly resumed: boolean
}

const NOTHING: CopyCounts = { keys: 0, written: 0, deleted: 0, foreign: 0, inTheWay: 0 }
const ROUNDS = 20
/** Fewer changes than this share of the keys are quiet; or this many. */
const QUIET_SHARE = 0.001
const QUIET_KEYS = 10
const NOTE_EVERY_MS = 500
/** Keys that expire sooner than this are not compared: they may be gone when the other side is read. */
const SOON_MS = 60_000

/**
 * Copies all keys of a schema from one server to another, while the source is in use, and compares both sides. Continues
 * after a crash where it stopped. The target becomes what the source is, by reads of both and writes of what differs.
 * @example
 * const elsewhere = await connect(shop, "memory:")
 * const { verified } = await copyKeys(shop, db.$driver(), elsewhere.$driver())
 */
export async function copyKeys(
  keyspace: Keyspace,
  from: Driver,
  target: Driver,
  options: CopyOptions = {},
): Promise<CopyResult> {
  const {
    to = keyspace,
    pauseMs,
    foreign = false,
    modules = false,
    overwrite = false,
    rounds: most = ROUNDS,
    signal,
  } = options
  const route: CopyRoute = {
    from: { keyspace, databases: await databasesOf(keyspace, from, options, refusing(keyspace, from)) },
    to: { keyspace: to, databases: await databasesOf(to, target, options, refusing(to, target)) },
    there: relocation(keyspace, to),
    back: origin(to, keyspace),
    // What an operation answered is under a digest of its keys: elsewhere it would not be found.
    operations: fingerprint(keyspace) === fingerprint(to) && from.cluster === target.cluster,
    foreign,
    modules,
    fieldDeadlines: await knowsFieldDeadlines(from),
    fieldDeadlinesThere: await knowsFieldDeadlines(target),
  }
  if (pauseMs !== undefined && from.label === target.label) throw copySameServer(from.label)
  if (pauseMs !== undefined) await requirePrimaries(from)
  const stamp = [from.label, fingerprint(keyspace), fingerprint(to)].join(" ")
  const notebook = new Notebook(route.to.databases[0]!.driver, keyspace.name, stamp)
  const noted = await notebook.read()
  if (noted === undefined && !overwrite) await requireEmpty(route.to.databases, signal)
  const walking = { ...(options.rate !== undefined && { rate: options.rate }), ...(signal !== undefined && { signal }) }
  const rounds: CopyRound[] = []
  let round = noted?.round ?? 1
  let counts = NOTHING
  let pause: Pause | undefined
  let paused: number | undefined

  const left: string[] = []
  /** Whether programs were led to the target, or why not, is said in any case. */
  const cleanUp = (what: string, work: () => Promise<void> | undefined) =>
    Promise.resolve(work()).catch((error: unknown) => void left.push(`${what}: ${reasonOf(error)}`))
  const endPause = () => cleanUp("the pause of writers could not be ended early", () => pause?.end())

  const next = async (resume?: string): Promise<CopyRound> => {
    counts = { ...NOTHING }
    let told = 0
    await notebook.write(round, resume)
    await copyRound(route, counts, {
      ...walking,
      ...(resume !== undefined && { resume }),
      onProgress: (progress) => options.onProgress?.({ round, progress }),
      onPage: async (place) => {
        if (performance.now() - told < NOTE_EVERY_MS) return
        told = performance.now()
        await notebook.write(round, place)
      },
    })
    // Nothing can have gone from a target that was empty.
    if (round > 1 || overwrite) await dropGone(route, counts, walking)
    const { keys, written, deleted } = counts
    rounds.push({ keys, written, deleted })
    round++
    return rounds.at(-1)!
  }

  try {
    let last = await next(noted?.resume)
    // Two in any case: what a slow first round missed is copied by the second.
    while (rounds.length < most && (rounds.length < 2 || !isQuiet(last, rounds.at(-2)!))) last = await next()
    if (pauseMs !== undefined) {
      paused = performance.now()
      pause = await pauseWrites(from, pauseMs)
      await next()
    }
    const patterns = await compare(route, walking)
    const verified = Object.values(patterns).every(({ same }) => same)
    if (pause !== undefined && !pause.holds()) throw copyPauseOver(pauseMs!)
    if (verified) {
      if (pause !== undefined && options.onEqual !== undefined) {
        await options.onEqual().catch((error: unknown) => {
          throw options.signal?.aborted === true ? error : copySwitchFailed(error)
        })
        if (!pause.holds()) throw copySwitchedLate(pauseMs!, Math.round(performance.now() - paused!))
      }
      await cleanUp("the copy's progress note could not be removed", () => notebook.remove())
    }
    const pausedMs = paused === undefined ? undefined : Math.round(performance.now() - paused)
    const { keys, foreign: strange, inTheWay } = counts
    await endPause()
    const result = {
      keys,
      rounds,
      foreign: strange,
      inTheWay,
      patterns,
      verified,
      pausedMs,
      resumed: noted !== undefined,
    }
    return { ...result, ...(left.length > 0 && { left }) }
  } catch (error) {
    await endPause()
    // A walk that was stopped by such an error names it as its cause.
    for (const one of [error, (error as Error).cause])
      if (isKeywrightError(one) && one.code.startsWith("COPY.")) throw one
    throw copyInterrupted(round, counts.keys, error)
  }
}

/** An incomplete copy is of no use: the first command that is refused stops it. */
const refusing = (keyspace: Keyspace, { db: own }: Driver) => {
  const names = new Unreadable(keyspace, own)
  return (db: number, command: Command, refusal: KeywrightError): never => {
    const key = keyOf(command)
    const shown = key === undefined ? "keys" : names.shown(db, key)
    throw copyRefused(String(command[0]), shown, reasonOfRefusal(refusal, key), refusal.fix)
  }
}

/** Little changes between rounds, or no less than before: waiting longer gains nothing. */
function isQuiet({ keys, written, deleted }: CopyRound, before: CopyRound): boolean {
  const changed = written + deleted
  return changed <= Math.max(QUIET_KEYS, keys * QUIET_SHARE) || changed >= before.written + before.deleted
}

/** Both sides by pattern of the target. */
async function compare(
  route: CopyRoute,
  walking: Pick<WalkOptions, "rate" | "signal">,
): Promise<CopyResult["patterns"]> {
  const until = Date.now() + SOON_MS
  const [source, target] = [new ExportTally(), new ExportTally()]
  await Promise.all([
    sumsOf(route.from, route.there, until, (pattern, digest) => source.add(pattern, digest), walking),
    sumsOf(route.to, undefined, until, (pattern, digest) => target.add(pattern, digest), walking),
  ])
  const [one, other] = [source.result().patterns, target.result().patterns]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()
  return Object.fromEntries(
    names.map((name) => {
      const [from, to] = [one[name], other[name]]
      return [
        name,
        { from: from?.keys ?? 0, to: to?.keys ?? 0, same: from?.digest === to?.digest && from?.keys === to?.keys },
      ]
    }),
  )
}
