/* A key of the keyspace, made ready for the client: how its keys are built, what a
 * write does to the deadline, and how a key is shown without its secrets. */

import type { Command } from "../../driver/driver.ts"
import { ttlBeyond, ttlChoice, ttlDecided } from "../../errors/client.ts"
import type { CodecFields } from "../../schema/codec/codec.ts"
import { fromMs, toMs, type Duration } from "../../schema/duration.ts"
import type { Key } from "../../schema/key.ts"
import { type KeyBuilder, keyBuilder } from "../../schema/key-builder.ts"
import { keyFormat, type KeyFormat } from "../../schema/key-format.ts"
import { hideSecrets } from "../../schema/hidden-secrets.ts"
import { hideSegments, secretParams } from "../../schema/secret-params.ts"
import type { Flights } from "../cache/flight.ts"
import { RecordFormat } from "./record-format.ts"

hideSecrets()

/** Values of the parameters that a scope binds, or of fields, by name. */
export type Bound = Readonly<Record<string, unknown>>

export interface ReadyKey {
  readonly declared: Key
  readonly format: KeyFormat
  readonly build: KeyBuilder
  /** Its parameters that may not be printed. */
  readonly secrets: ReadonlySet<string>
  /** All patterns of the family that the key lives and dies with, its own included. */
  readonly family: readonly ReadyKey[] | undefined
  /** No deadline to take care of: a write is one command. */
  readonly plain: boolean
  /** For a hash or a stream: its fields. */
  readonly fields: RecordFormat | undefined
  /** Loads under way in this process, by key: see fill.ts. */
  readonly flights: Flights
}

/** Every key of a keyspace, by its name. */
export function readyKeys(rows: readonly Key[]): Map<string, ReadyKey> {
  const families = new Map<string, ReadyKey[]>()
  const ready = new Map<string, ReadyKey>()
  for (const row of rows) {
    const family = row.family === undefined ? undefined : (families.get(row.family) ?? [])
    if (row.family !== undefined) families.set(row.family, family!)
    const fields = row.shape["fields"] as CodecFields | undefined
    const entry: ReadyKey = {
      declared: row,
      format: keyFormat(row.pattern, row.params, row.sharded?.by),
      build: keyBuilder(row, rows),
      secrets: secretParams(row, rows),
      family,
      plain: family === undefined && (row.ttl === undefined || row.ttl.on === "never"),
      fields: fields && new RecordFormat(fields),
      flights: new Map(),
    }
    family?.push(entry)
    ready.set(row.name, entry)
  }
  return ready
}

/** Says how long, where the schema leaves the choice to the writer. */
export interface TtlOption {
  readonly ttl?: Duration | "never"
}

/** What follows a write in the same atomic step, so that the deadline is as declared. */
export function afterWrite(row: Key, key: string, chosen?: Duration | "never"): Command | undefined {
  const on = row.ttl?.on
  const ms = lifeMs(row, chosen)
  if (ms === "never") return on === "choice" ? ["PERSIST", key] : undefined
  const isFirst = on === "creation" || (on === "bound" && chosen === undefined)
  return isFirst ? ["PEXPIRE", key, String(ms), "NX"] : ["PEXPIRE", key, String(ms)]
}

/** How long a key lives from a write on, in milliseconds: as the writer chose, where the schema leaves the choice. */
export function lifeMs(row: Key, chosen: Duration | "never" | undefined): number | "never" {
  const rule = row.ttl
  if (rule?.on === "choice") return chooseTtl(row, chosen)
  if (rule?.on === "bound" && chosen !== undefined) return withinBound(row, rule.ms, chosen)
  if (chosen !== undefined) throw ttlDecided(row.pattern, chosen)
  return rule === undefined || rule.on === "never" ? "never" : rule.ms
}

/** One of the declared choices, in milliseconds. */
export function chooseTtl(row: Key, chosen: Duration | "never" | undefined): number | "never" {
  const choices = row.ttl?.on === "choice" ? row.ttl.choices : []
  const ms = chosen === undefined || chosen === "never" ? chosen : toMs(chosen)
  if (ms === undefined || !choices.includes(ms)) {
    throw ttlChoice(
      row.pattern,
      choices.map((choice) => (choice === "never" ? choice : fromMs(choice))),
      chosen,
    )
  }
  return ms
}

/** A life that the writer chose, in milliseconds, where the schema says how long it may be. */
export function withinBound(row: Key, longestMs: number, chosen: Duration | "never"): number {
  const ms = chosen === "never" ? Infinity : toMs(chosen)
  if (ms > longestMs) throw ttlBeyond(row.pattern, fromMs(longestMs), chosen)
  return ms
}

/** Whether reads move the deadline too. */
export const slides = (row: Key): number | undefined => (row.ttl?.on === "access" ? row.ttl.ms : undefined)

/** The key with its secret segments hidden: `"P:456:S:789:AccTok:…"`. */
export function redactKey(
  { declared, format, secrets }: Pick<ReadyKey, "declared" | "format" | "secrets">,
  key: string,
): string {
  return secrets.size === 0 ? key : hideSegments(declared.pattern, format.locate(key), secrets)
}
