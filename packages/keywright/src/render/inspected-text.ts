/* One key for people. */

import type { InspectedKey } from "../inspect/model/inspect-key.ts"
import type { Paint } from "./paint.ts"
import { cutText, jsonable, oneLine } from "./printable.ts"
import { plainJson } from "../schema/json/plain-json.ts"
import { bytesText, countText, secondsText } from "./quantity.ts"
import { isRefused, refusedText } from "./unreadable-text.ts"

export function inspectedText(key: InspectedKey, paint: Paint): string {
  const line = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`  ${paint.dim(name.padEnd(9))} ${value}`]
  const wrong =
    key.expectedType !== undefined && key.type !== "none" && key.type !== "unreadable" && key.type !== key.expectedType
  const params = Object.entries(key.params ?? {}).map(([name, value]) => `${name}=${value}`)
  const width = Math.max(8, ...key.relations.map(({ name }) => name.length)) + 2
  const relations = key.relations.map(
    ({ name, keys, count, exists }) =>
      `  ${paint.dim(name.padEnd(width))}${keys.join(", ")}${count > keys.length ? ` and ${countText(count - keys.length)} more` : ""}${exists === false ? paint.yellow("  (does not exist)") : ""}`,
  )
  return [
    paint.bold(key.key),
    ...line(
      "pattern",
      key.pattern === undefined ? paint.yellow("no pattern owns it") : `${key.pattern}  ${paint.dim(key.name ?? "")}`,
    ),
    ...line("params", params.length === 0 ? undefined : params.join(" ")),
    ...line("db", String(key.db)),
    ...line(
      "type",
      key.type === "none"
        ? paint.yellow("there is no such key")
        : `${key.type}${wrong ? paint.red(`, declared as ${key.expectedType}`) : ""}`,
    ),
    ...line(
      "TTL",
      key.type === "none"
        ? undefined
        : isRefused(key, "PTTL")
          ? "could not be read"
          : key.ttlMs === null
            ? "none"
            : secondsText(key.ttlMs / 1000),
    ),
    ...line(
      "memory",
      key.bytes === null && key.encoding === null && key.length === null
        ? undefined
        : `${key.bytes === null ? "not known" : bytesText(key.bytes)}${key.encoding === null ? "" : `, ${key.encoding}`}${key.length === null ? "" : `, length ${countText(key.length)}`}`,
    ),
    ...line(
      "value",
      key.hidden && key.type !== "unreadable" ? `hidden, because ${whyHidden(key)}: --secrets shows it` : undefined,
    ),
    ...(key.value === undefined
      ? []
      : [`  ${paint.dim("value")}`, valueText(key.value), ...(key.cut ? [paint.dim("    … and more")] : [])]),
    ...refusedText(key.unreadable ?? []).map((text) => `  ${paint.yellow(text)}`),
    ...(relations.length === 0 ? [] : [`  ${paint.dim("related")}`, ...relations.map((text) => `  ${text}`)]),
  ].join("\n")
}

function whyHidden({ pattern, type, expectedType }: InspectedKey): string {
  if (pattern === undefined) return "no pattern says what of it is secret"
  return type === expectedType
    ? "all of it is secret"
    : `it is not a ${expectedType}, so nothing says what of it is secret`
}

const valueText = (value: unknown): string => {
  const text = Array.isArray(value)
    ? value.map((one) => (Array.isArray(one) ? one.map(partText).join("  ") : partText(one))).join("\n")
    : typeof value === "string"
      ? partText(value)
      : plainJson(JSON.stringify(value, jsonable, 2))
  return text.replace(/^/gm, "    ")
}

/** Somebody has asked for this value: more of it is shown than of what is only mentioned. */
const LONGEST = 20_000

const partText = (value: unknown): string =>
  typeof value === "string"
    ? oneLine(cutText(value, LONGEST))
    : cutText(plainJson(JSON.stringify(value, jsonable)), LONGEST)
