/* Rows that transactions lock, so that those about the same names follow one another. The
 * names come from clients, and need not be those of anything: with a row for each, a client
 * that always names another one would fill the database. So several names share a row. */

import { createHash } from "node:crypto"

export const LOCK_ROWS = 256

/** The rows of some names, in the order in which all lock them. */
export function lockRows(names: readonly string[]): number[] {
  const rows = names.map((name) => createHash("sha256").update(name).digest().readUInt32BE() % LOCK_ROWS)
  return [...new Set(rows)].sort((a, b) => a - b)
}
