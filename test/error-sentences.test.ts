/* What errors say has one form. A message is half a sentence, so that it can follow another:
 * `the copy stopped: …`. `why` and `fix` are whole sentences. */

import { describe, expect, it } from "vitest"
import { readErrors, textsHandedOver } from "../scripts/docs/errors.mjs"

interface Text {
  readonly code: string
  readonly text: string
}

const errors: { code: string; ways: { message: string; why?: string; fix?: string }[] }[] = readErrors()
const handedOver: Record<"message" | "why" | "fix", Text[]> = textsHandedOver()

const all = (part: "message" | "why" | "fix"): string[] =>
  [
    ...errors.flatMap(({ code, ways }) => ways.map((way): Text => ({ code, text: way[part] ?? "" }))),
    ...handedOver[part],
  ].flatMap(({ code, text }) => text.split(" — or: ").flatMap((one) => (/^…?$/.test(one) ? [] : [`${code}  ${one}`])))

describe("of every error", () => {
  it("the message begins with a small letter, a name or a value, and has no full stop", () => {
    const texts = all("message")
    expect(texts.length).toBeGreaterThan(300)
    expect(texts.filter((text) => /  [A-Z][a-z]+ |\.$/.test(text))).toEqual([])
  })

  it.each(["why", "fix"] as const)("%s is a sentence: a capital first, and a full stop", (part) => {
    const texts = all(part)
    expect(texts.length).toBeGreaterThan(150)
    expect(texts.filter((text) => !/  [^a-z].*[.?…›]$/s.test(text))).toEqual([])
  })

  it("there is a fix", () => {
    const without = errors.filter(({ ways }) => ways.some(({ fix }) => fix === undefined)).map(({ code }) => code)
    const fromCaller = ["COPY.UNKNOWN_TYPE", "ENGINE.BAD_OPTION"]
    expect(without.filter((code) => !fromCaller.includes(code))).toEqual([])
  })
})
