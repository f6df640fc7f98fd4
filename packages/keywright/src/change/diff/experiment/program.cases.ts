/* A program of one schema, as a typed client that knows nothing else, and what may become of it. */

import type { Keyspace } from "../../../index.ts"
import type { Driver } from "../../../driver/driver.ts"
import type { Key } from "../../../schema/key.ts"
import type { TableVerdict } from "../verdict.ts"

export type Outcome = Exclude<TableVerdict, "n/a">

// oxlint-disable-next-line typescript/no-explicit-any -- clients of schemas that are data have no types.
export type Any = any

const rank: readonly Outcome[] = ["works", "fails to read", "fails", "silent"]
export const worst = (found: readonly Outcome[]): Outcome =>
  found.reduce((one, other) => (rank.indexOf(one) < rank.indexOf(other) ? other : one), "works")

/** A program of one schema that works with one entry. */
export interface Program {
  readonly keyspace: Keyspace
  readonly key: Key
  readonly items: readonly Item[]
  /** Writes it, and says under which id. */
  write(item: Item): Promise<Item>
  /** The value alone. */
  peek(item: Item): Promise<unknown>
  /** The value, by every way that the schema knows. */
  read(item: Item): Promise<unknown>
  /** Milliseconds that the key has left. */
  left(item: Item): Promise<number>
  /** As if so much time had passed. */
  age(item: Item, ms: number): Promise<unknown>
}

/** Something to be written: under which id, and what. `raw` is a spelling of it that other languages use. */
export interface Item {
  readonly params: Readonly<Record<string, unknown>>
  readonly content: unknown
  readonly raw?: string
}

export interface Stage {
  readonly old: Program
  readonly now: Program
  readonly driver: Driver
  /** Names of fields that the other side calls otherwise. */
  readonly renamed: Readonly<Record<string, string>>
}

/** Thrown on purpose: a mistake in this experiment is not one of its outcomes. */
export function expected(error: unknown): Outcome {
  const { code } = error as { code?: string }
  if (typeof code === "string" && /^[A-Z_]+\.[A-Z_0-9]+$/.test(code)) return "fails"
  throw error
}
