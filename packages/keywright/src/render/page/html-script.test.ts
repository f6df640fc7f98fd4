import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { script } from "./html-script.ts"

const page = ["html.ts", "html-keys.ts"].map((name) => readFileSync(new URL(name, import.meta.url), "utf8")).join("\n")

it("is a program, and nothing in it ends its element", () => {
  expect(() => new Function(script)).not.toThrow()
  expect(script).not.toMatch(/<\/script|<!--/i)
})

it.each(["search", "clear", "theme", "diagram", "relations", "rules", "toolkit"])("finds #%s on the page", (name) => {
  expect(script).toContain(`"#${name}"`)
  expect(page).toContain(`id="${name}"`)
})
