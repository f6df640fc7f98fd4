/* Every key of an RDB file, for counting: nothing is kept, and no value is decoded. */

import { stat } from "node:fs/promises"
import { interrupted } from "../../errors/inspect.ts"
import type { Wire } from "../../driver/driver.ts"
import { globMatcher } from "../walk/glob.ts"
import { LONGEST_NAME, type RdbBatch, readRdb } from "../rdb/index.ts"
import { isChosen, progressOf, type WalkOptions } from "../walk/walk.ts"
import { asWire } from "../walk/wire.ts"
import { keyOf } from "./snapshot-key.ts"
import { savedAt } from "./saved-at.ts"

/** What counts existing keys. */
export interface KeyCounter {
  /** `ttlMs` as PTTL returns it, -1 for none; undefined is what could not be read. Of a file, `bytes` are those in it. */
  add(key: Wire, type: string, ttlMs: number | undefined, bytes: number | undefined): void
}

export interface CountOptions extends Pick<WalkOptions, "match" | "sample" | "signal" | "onProgress"> {
  readonly databases?: readonly number[]
}

/** Passes each key to its database's counter; what had expired when the file was written is left out. */
export async function countFile(
  path: string,
  options: CountOptions,
  counterOf: (db: number) => KeyCounter,
): Promise<void> {
  const reader = readRdb(path, { longestName: LONGEST_NAME })
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  const started = performance.now()
  const wants = wanted(options)
  let told = 0
  for await (const batch of reader) {
    if (options.signal?.aborted) throw interrupted(reader.facts.keys, "", options.signal.reason)
    const { earliest, latest } = savedAt(reader.facts)
    for (let i = 0; i < batch.length; i++) {
      const expireAt = batch.expireAtMs(i)
      if (expireAt <= earliest || wants?.(batch, i) === false) continue
      const ttl = Number.isNaN(expireAt) ? -1 : Math.max(0, expireAt - latest)
      counterOf(batch.db(i)).add(keyOf(batch, i), typeOf(batch, i), ttl, batch.size(i))
    }
    const ms = performance.now() - started
    if (options.onProgress === undefined || ms - told < 100) continue
    told = ms
    const { keys, bytes } = reader.facts
    options.onProgress(progressOf(batch.db(0), keys, Math.round((keys * size) / Math.max(bytes, 1)), ms))
  }
}

const typeOf = (batch: RdbBatch, at: number): string =>
  batch.type(at) === "module" ? batch.encoding(at) : batch.type(at)

/** Which keys are wanted; undefined for all. */
function wanted({ match, sample, databases }: CountOptions): ((batch: RdbBatch, at: number) => boolean) | undefined {
  if (match === undefined && sample === undefined && databases === undefined) return undefined
  const matches = match === undefined ? () => true : globMatcher(match)
  return (batch, at) =>
    databases?.includes(batch.db(at)) !== false &&
    matches(batch.key(at)) &&
    isChosen(sample === undefined ? "" : asWire(batch.key(at)), sample)
}
