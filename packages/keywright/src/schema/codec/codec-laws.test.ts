import { inspect } from "node:util"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { KeywrightError } from "../../errors/error.ts"
import { codecs } from "./codecs.cases.ts"
import type { AnyCodec } from "./codec.ts"
import { documentSpec } from "./document-spec.ts"

const numRuns = isFull ? 100_000 : 200

/** As a client does: codecs that keep bytes read bytes. */
const read = (codec: AnyCodec, raw: string | Uint8Array) =>
  typeof raw === "string" ? codec.decode(raw) : codec.decodeBytes!(raw)

const codeOf = (run: () => unknown): unknown => {
  try {
    return `nothing thrown, but ${inspect(run())}`
  } catch (error) {
    return error instanceof KeywrightError ? error.code : error
  }
}

const MUCH = 200_000
/** Where each character could be looked at for each other one, a text of these takes a minute. */
const longTexts = ["0", "7", " ", "a", "-", ":", ",", "|", '"', "\\", "[", "0.", "a.", "d:0;", "2026-"].flatMap(
  (part) => [
    part.repeat(MUCH / part.length),
    `${part.repeat(MUCH / part.length)}\u0000`,
    `1${part.repeat(MUCH / part.length)} `,
  ],
)

/** A mask as a regular expression; * is any character, for the rule of segments is not a codec's. */
const maskPattern = (masks: readonly string[]) =>
  masks.map((mask) =>
    mask.replace(/\\(.)|(.)/gsu, (_, escaped?: string, char?: string) =>
      char === "#"
        ? "[0-9]"
        : char === "*"
          ? "[^]"
          : char === "+"
            ? "+"
            : (escaped ?? char!).replace(/[\\^$.*+?()[\]{}|/]/u, "\\$&"),
    ),
  )

describe.each(codecs)("$name", ({ codec, any, values, refused, refusedRaw }) => {
  test("reads what it wrote", () => {
    for (const value of values) expect(read(codec, codec.encode(value))).toEqual(value)
    fc.assert(
      fc.property(any, (value) => void expect(read(codec, codec.encode(value))).toEqual(value)),
      { numRuns },
    )
  })

  test("writes texts that have bytes", () => {
    fc.assert(
      fc.property(any, (value) => {
        const raw = codec.encode(value)
        return typeof raw !== "string" || Buffer.from(raw).toString() === raw
      }),
      { numRuns },
    )
  })

  test("looks at a long text once", { timeout: 20_000 }, () => {
    for (const text of longTexts) {
      const code = codeOf(() => void codec.decode(text))
      expect(code === "nothing thrown, but undefined" || /^[A-Z]+\.[A-Z_]+$/.test(String(code)), String(code)).toBe(
        true,
      )
    }
  })

  test("refuses to write what it could not read, with its code", () => {
    for (const [value, code] of refused)
      expect
        .soft(
          codeOf(() => codec.encode(value)),
          inspect(value),
        )
        .toBe(code)
  })

  test("refuses to read what it would not write, with its code", () => {
    const from = (raw: string) => (codec.decodeBytes ? Buffer.from(raw, "latin1") : raw)
    for (const [raw, code] of refusedRaw)
      expect
        .soft(
          codeOf(() => read(codec, from(raw))),
          inspect(raw),
        )
        .toBe(code)
  })

  test("never answers random text with anything but a value or a documented error", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (raw) => {
        const found = codeOf(() => codec.decode(raw))
        return typeof found === "string"
      }),
      { numRuns },
    )
  })

  test("covers with its mask whatever it writes", () => {
    if (!codec.mask) return
    const pattern = new RegExp(`^(?:${maskPattern(codec.mask).join("|")})$`, "u")
    fc.assert(
      fc.property(any, (value) => void expect(codec.encode(value)).toMatch(pattern)),
      { numRuns },
    )
  })

  test("has an example that it reads", () => {
    if (documentSpec(codec.spec) !== undefined || codec.decodeBytes) return
    expect(codec.encode(codec.decode(codec.example))).toBe(codec.example)
  })

  test("is frozen, and described by plain JSON", () => {
    expect(Object.isFrozen(codec)).toBe(true)
    expect(Object.isFrozen(codec.spec)).toBe(true)
    expect(JSON.parse(JSON.stringify(codec.spec))).toEqual(codec.spec)
    expect(codec.name).not.toBe("")
  })
})
