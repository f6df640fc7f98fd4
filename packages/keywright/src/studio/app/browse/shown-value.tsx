/* A decoded value. Texts in a table are shown as they are; within arrays and objects they
 * are quoted, as in JSON. */

import type { ComponentChildren } from "preact"
import { bytesText, countText } from "../../../render/quantity.ts"
import type { Shown, Special } from "../../api.ts"
import { ShownText } from "../parts/shown-text.tsx"
import { Redacted } from "../parts/redacted.tsx"
import { hexText, bytesOf } from "./hex-dump.ts"

export function ShownValue({ value, large = false }: { readonly value: Shown; readonly large?: boolean }) {
  if (typeof value === "string")
    return value === "" ? (
      <span class="quiet">empty</span>
    ) : (
      <span class={large ? "pre value-text" : "value-text"}>
        <ShownText text={value} lines={large} />
      </span>
    )
  if (isCompound(value)) return <code class={large ? "json pre" : "json"}>{jsonOf(value, 0)}</code>
  return <>{scalar(value)}</>
}

const isSpecial = (value: Shown): value is Special =>
  typeof value === "object" && value !== null && !Array.isArray(value) && "~" in value

const isCompound = (value: Shown): boolean =>
  typeof value === "object" && value !== null && (!isSpecial(value) || value["~"] === "object")

function scalar(value: Shown): ComponentChildren {
  if (value === null) return <span class="j-null">null</span>
  if (typeof value === "boolean" || typeof value === "number") return <span class="j-number">{String(value)}</span>
  return isSpecial(value) ? special(value) : null
}

function special(value: Special): ComponentChildren {
  switch (value["~"]) {
    case "secret":
      return <Redacted />
    case "bigint":
    case "number":
      return <span class="j-number">{value.text}</span>
    case "date":
      return <time dateTime={value.text}>{value.text}</time>
    case "bytes":
      return (
        <span class="binary">
          <span class="badge">binary, {bytesText(value.bytes)}</span> <code>{hexText(bytesOf(value.base64), 24)}</code>
        </span>
      )
    case "undefined":
      return <span class="quiet">absent</span>
    case "more":
      return <span class="quiet">… {countText(value.count)} more</span>
    case "object":
      return null
  }
}

/** As JSON is written: short things on one line, long ones with a line for each entry. */
function jsonOf(value: Shown, depth: number): ComponentChildren {
  if (typeof value === "string")
    return (
      <span class="j-text">
        "<ShownText text={value} />"
      </span>
    )
  if (Array.isArray(value)) {
    const items = (value as readonly Shown[]).map((item) => jsonOf(item, depth + 1))
    return wrapped("[]", items, depth, value)
  }
  if (isCompound(value)) {
    const entries = isSpecial(value) ? (value["~"] === "object" ? value.entries : []) : Object.entries(value as object)
    const items = (entries as readonly (readonly [string, Shown])[]).map(([name, one]) => (
      <>
        <span class="j-name">
          <ShownText text={name} />
        </span>
        : {jsonOf(one, depth + 1)}
      </>
    ))
    return wrapped("{}", items, depth, value)
  }
  return scalar(value)
}

const SHORT = 72

function wrapped(
  brackets: "[]" | "{}",
  items: readonly ComponentChildren[],
  depth: number,
  value: Shown,
): ComponentChildren {
  if (items.length === 0) return brackets
  const isLong = JSON.stringify(value).length > SHORT
  const line = (indent: number) => (isLong ? `\n${"  ".repeat(indent)}` : "")
  return (
    <>
      {brackets[0]}
      {items.map((item, i) => (
        <>
          {line(depth + 1)}
          {item}
          {i < items.length - 1 ? (isLong ? "," : ", ") : ""}
        </>
      ))}
      {line(depth)}
      {brackets[1]}
    </>
  )
}
