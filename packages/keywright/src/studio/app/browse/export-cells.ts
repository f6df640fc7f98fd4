/* Cells as plain values, for a file: what the page shows, and no more. */

import { isRefused } from "../../../render/unreadable-text.ts"
import type { Cell, GridColumn, KeyRow, Shown } from "../../api.ts"

export const SECRET = "(secret)"

export function plainOf({ decoded, raw, secret }: Cell): unknown {
  if (decoded !== undefined) return plainShown(decoded)
  if (secret) return SECRET
  if (raw?.text !== undefined) return raw.cut ? `${raw.text}…` : raw.text
  return raw?.base64 ?? null
}

function plainShown(value: Shown): unknown {
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return value.map((one: Shown) => plainShown(one))
  if ("~" in value) {
    if (value["~"] === "secret") return SECRET
    if ("text" in value) return value.text
    if ("base64" in value) return value.base64
    if ("entries" in value && Array.isArray(value.entries))
      return value.entries.map(([name, inner]) => [name, plainShown(inner)])
    return null
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainShown(inner)]))
}

/** The grid as rows of a file. */
export function exportedKeys(columns: readonly GridColumn[], rows: readonly KeyRow[]) {
  const names = columns.map(({ name }) => name)
  return {
    columns: ["key", ...names, ...(names.length === 0 ? ["preview"] : []), "type", "ttlMs", "bytes"],
    rows: rows.map((row) => {
      const { key, cells, preview, type, ttlMs, bytes } = row
      return [
        key,
        ...(names.length === 0 ? [preview ?? null] : names.map((_, i) => (cells?.[i] ? plainOf(cells[i]) : null))),
        type,
        isRefused(row, "PTTL") ? "not readable" : ttlMs,
        bytes,
      ]
    }),
  }
}
