import { describe, expect, test } from "vitest"
import * as z from "zod"
import { compressed } from "./bytes.ts"
import type { AnyCodec } from "./codec.ts"
import { day } from "./date.ts"
import { delimited, many } from "./delimited.ts"
import { id, tagged } from "./id.ts"
import { json } from "./json.ts"
import { keyOf } from "./key-of.ts"
import { int } from "./number.ts"
import { oneOf } from "./one-of.ts"
import { text } from "./text.ts"
import { optional, secret } from "./wrap.ts"

const hidden = "hunter2"

/** Everything that a log could print of an error. */
const printed = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    const { message, stack, cause, ...rest } = error as Error
    return [message, stack?.split("\n")[0], JSON.stringify(rest), String(cause)].join("\n")
  }
  throw new Error("nothing was refused")
}

const secrets: [string, AnyCodec, unknown, string][] = [
  ["int", secret(int), hidden, hidden],
  ["day", secret(day), hidden, hidden],
  ["one of", secret(oneOf("a", "b")), hidden, hidden],
  ["id", secret(id("token", { matching: /\d+/ })), hidden, hidden],
  ["id of a secret", id("token", secret(text), { matching: /\d+/ }), hidden, hidden],
  ["json", secret(json(z.object({ a: z.literal("x") }))), { a: hidden }, `{"${hidden}`],
  ["delimited", secret(delimited("#", { a: text, b: text })), { a: `${hidden}#`, b: "" }, hidden],
  ["delimited with a secret column", delimited("#", { a: secret(text), b: text }), { a: `${hidden}#`, b: "" }, hidden],
  ["many secrets", many(secret(text)), [`${hidden},`, ""], ""],
  ["tagged secrets", tagged({ u_: secret(text), u: secret(text) }), { tag: "u", id: `_${hidden}` }, hidden],
  ["key", secret(keyOf({ a: "a:{x}" })), { to: hidden, params: {} }, hidden],
  ["compressed", compressed(secret(int)), hidden, hidden],
  ["optional", optional(secret(int)), hidden, hidden],
  [
    "a codec of the user's that throws",
    secret({
      ...text,
      decode: (raw) => {
        throw new Error(raw)
      },
    }),
    1,
    hidden,
  ],
]

describe.each(secrets)("secret: %s", (_, codec, value, raw) => {
  test("is marked, so that all others redact it", () => {
    expect(codec.secret).toBe(true)
  })

  test("never shows the value in a message", () => {
    expect(printed(() => codec.encode(value))).not.toContain(hidden)
    if (raw !== "") expect(printed(() => codec.decode(raw))).not.toContain(hidden)
    if (codec.decodeBytes) expect(printed(() => codec.decodeBytes!(Buffer.from(raw)))).not.toContain(hidden)
    if (codec.document) expect(printed(() => codec.document!.read({ a: hidden }))).not.toContain(hidden)
  })
})

test("without secret, the message shows the value, cut short", () => {
  expect(printed(() => int.decode(hidden))).toContain(hidden)
  expect(printed(() => int.decode("x".repeat(1000))).length).toBeLessThan(400)
})

test("a secret keeps the code of what it hides", () => {
  expect(() => secret(int).decode("x")).toThrow(expect.objectContaining({ code: "CODEC.INT" }))
})
