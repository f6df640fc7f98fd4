/* A cell as a short text, for a line among others. */

import type { Cell, Shown } from "../api.ts"

const LONGEST = 60

export function cellText({ decoded, raw, secret, error }: Cell): string {
  if (secret) return "…"
  if (decoded !== undefined && error === undefined) return short(shownText(decoded))
  if (raw?.text !== undefined) return short(raw.text)
  return raw === undefined ? "" : `${raw.bytes} bytes`
}

function shownText(value: Shown): string {
  if (typeof value === "string") return value
  if (value !== null && typeof value === "object" && "~" in value) {
    if ("text" in value && typeof value.text === "string") return value.text
    return value["~"] === "bytes" ? "bytes" : "…"
  }
  return JSON.stringify(value)
}

const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
