/* A file with every type, how it may be read, and what came of reading a damaged one. */

import { expect } from "vitest"
import { KeywrightError } from "../../errors/error.ts"
import { everyKind } from "./every-kind.cases.ts"
import * as w from "./rdb-writer.cases.ts"
import { readRdb, type ReadRdbOptions } from "./read-rdb.ts"

export const { content, expected } = everyKind("REDIS0012")

export const modes = ["skip", "shallow", "full"] as const

/** As infer reads: the newest entries of streams, and the beginning of long strings. */
const sampled = { values: "full", streams: "newest", maxElements: 3, maxBytes: 48, prefix: 32 } as const
export const readings: readonly ReadRdbOptions[] = [...modes.map((values) => ({ values })), sampled]

/** Reads all, and returns the keys that came, and the error if one came. */
export async function outcome(content: Buffer, options: ReadRdbOptions, portion = 1 << 20) {
  const names: string[] = []
  try {
    for await (const batch of readRdb(w.portions(content, portion), { streams: true, ...options })) {
      for (const { key } of batch) names.push(key.toString("latin1"))
    }
    return { keys: names.length, names, error: undefined }
  } catch (error) {
    return { keys: names.length, names, error }
  }
}

export function expectClear(error: unknown, size: number): asserts error is KeywrightError {
  expect(error).toBeInstanceOf(KeywrightError)
  const { code, details, message } = error as KeywrightError
  expect(code).toMatch(/^RDB\.(TRUNCATED|CORRUPT|UNKNOWN_TYPE|UNKNOWN_VERSION|CHECKSUM|NOT_RDB|TOO_LARGE|CONTINUES)$/)
  expect(details?.["offset"], message).toBeGreaterThanOrEqual(0)
  expect(details?.["offset"], message).toBeLessThanOrEqual(size)
}
