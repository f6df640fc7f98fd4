/* Contrast as WCAG 2.2 has it, of every pair of colours that text or a control uses. */

import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const css = readFileSync(new URL("./theme.css", import.meta.url), "utf8")

function palette(selector: string): Record<string, string> {
  const block = css.slice(css.indexOf(`${selector} {`)).split("}")[0] ?? ""
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]))
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

const surfaces = ["bg", "card", "sunk", "hover", "tint"]
const text: readonly (readonly [string, readonly string[]])[] = [
  ["ink", [...surfaces, "raised", "warn-bg", "bad-bg", "good-bg"]],
  ["muted", surfaces],
  ["accent", surfaces],
  ["var", ["bg", "card", "tint", "hover"]],
  ["on-accent", ["accent"]],
  ["good", ["card", "bg", "good-bg", "sunk"]],
  ["warn", ["card", "bg", "warn-bg"]],
  ["bad", ["card", "bg", "bad-bg"]],
  ...["string", "hash", "list", "set", "zset", "stream", "other"].map(
    (type) => [type, ["card", "bg", "hover"]] as const,
  ),
]
const marks: readonly (readonly [string, readonly string[]])[] = [
  ["control", ["card", "bg"]],
  ...["s1", "s2", "s3", "s4", "s5", "s6"].map((line) => [line, ["card"]] as const),
]

describe.each([
  ["light", ":root"],
  ["dark", ':root[data-theme="dark"]'],
])("the %s theme", (_, selector) => {
  const colours = palette(selector)
  const below = (pairs: typeof text, limit: number) =>
    pairs.flatMap(([ink, grounds]) =>
      grounds.flatMap((ground) => {
        const ratio = contrast(colours[ink] ?? "", colours[ground] ?? "")
        return ratio >= limit ? [] : [`${ink} on ${ground}: ${ratio.toFixed(2)}`]
      }),
    )

  /** So much of a colour on a card. */
  const mixed = (name: string, part: number) => {
    const [of, card] = [colours[name] ?? "", colours["card"] ?? ""].map((hex) =>
      [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)),
    )
    const hex = (i: number) =>
      Math.round(of![i]! * part + card![i]! * (1 - part))
        .toString(16)
        .padStart(2, "0")
    return `#${[0, 1, 2].map(hex).join("")}`
  }

  it("has 4.5 to 1 for every text", () => expect(below(text, 4.5)).toEqual([]))
  it("has 3 to 1 for the edges of fields and the lines of charts", () => expect(below(marks, 3)).toEqual([]))
  it("has 4.5 to 1 for the names in the tree map, on the deepest of its colours", () => {
    const grounds = [mixed("map", 0.45), mixed("warn-fill", 0.3), mixed("faint", 0.26)]
    expect(grounds.map((ground) => contrast(colours["ink"] ?? "", ground)).filter((ratio) => ratio < 4.5)).toEqual([])
  })
  it("has every colour of the other one", () => {
    expect(Object.keys(colours).sort()).toEqual(Object.keys(palette(":root")).sort())
  })
})
