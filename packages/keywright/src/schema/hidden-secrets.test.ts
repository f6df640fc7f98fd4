import { expect, it } from "vitest"
import * as z from "zod"
import { anyOf } from "./codec/any-of.ts"
import { compressed } from "./codec/bytes.ts"
import type { AnyCodec, Codec } from "./codec/codec.ts"
import { type CodecSpec, partsOf } from "./codec/codec-spec.ts"
import { codecs } from "./codec/codecs.cases.ts"
import { csv, delimited, many } from "./codec/delimited.ts"
import { id, tagged } from "./codec/id.ts"
import { json } from "./codec/json.ts"
import { messagePack } from "./codec/message-pack.ts"
import { int } from "./codec/number.ts"
import { php } from "./codec/php.ts"
import { quoted } from "./codec/quoted.ts"
import { text } from "./codec/text.ts"
import { optional, secret, trimmed } from "./codec/wrap.ts"
import { mayHold } from "./hidden-secrets.ts"

const card = json(z.any()) as Codec<never>
/** Every codec that takes codecs, around a document. */
const around: Readonly<Record<string, AnyCodec>> = {
  anyOf: anyOf(int, card),
  compressed: compressed(card),
  csv: csv({ n: int, card }),
  delimited: delimited("#", { n: int, card }),
  id: id("card", card),
  many: many(card),
  messagePack: messagePack(card),
  optional: optional(card),
  php: php(card),
  quoted: quoted(card),
  secret: secret(card),
  tagged: tagged({ n: text, c: card }),
  trimmed: trimmed(card),
}

/** What looks like a spec inside of one, wherever it is. */
function inside(spec: object): object[] {
  return Object.entries(spec).flatMap(([name, part]) => {
    if (typeof part !== "object" || part === null || name === "schema") return []
    return "codec" in part ? [part as object] : inside(part as object)
  })
}

it.each([...codecs.map(({ name, codec }) => [name, codec] as const), ...Object.entries(around)])(
  "no part of %s is overlooked",
  (_, { spec }) => expect(partsOf(spec).map(([, part]) => part)).toEqual(inside(spec)),
)

it("every codec that takes codecs is among them", () => {
  const composites = codecs.flatMap(({ codec: { spec } }) => (inside(spec).length > 0 ? [spec.codec] : []))
  expect(Object.values(around).map(({ spec }) => spec.codec)).toEqual(expect.arrayContaining(composites))
})

it.each(Object.entries(around))("%s may hold the fields of a document", (_, { spec }) => {
  expect(mayHold(spec, ["pin"])).toBe(true)
  expect(mayHold({ codec: "many", separator: ",", item: { codec: "anyOf", codecs: [spec] } }, ["pin"])).toBe(true)
})

it("columns may hold those that they have", () => {
  const spec: CodecSpec = many(csv({ name: text, pin: text }), ";").spec
  expect([mayHold(spec, ["pin"]), mayHold(spec, ["code"]), mayHold(text.spec, ["pin"])]).toEqual([true, false, false])
})
