import { expect, it } from "vitest"
import { style } from "./html-style.ts"

const [light, dark] = [":root{", ":root[data-theme=dark]{"].map((start) => {
  const from = style.indexOf(start) + start.length
  return new Set([...style.slice(from, style.indexOf("}", from)).matchAll(/(--[\w]+):/g)].map(([, name]) => name!))
})

it("gives every colour a value in light and in dark", () => {
  const used = new Set([...style.matchAll(/var\((--\w+)\)/g)].map(([, name]) => name!))
  expect([...used].filter((name) => !light!.has(name) || !dark!.has(name))).toEqual([])
  expect(used.size).toBeGreaterThan(15)
})

it("closes every brace, and nothing in it ends its element", () => {
  expect(style.split("{").length).toBe(style.split("}").length)
  expect(style).not.toContain("</")
})
