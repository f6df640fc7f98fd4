import { jsonFormCustomCodec } from "../../errors/json-form.ts"
import type { CodecSpec } from "../codec/codec-spec.ts"

const known: Readonly<Record<CodecSpec["codec"], true>> = {
  text: true,
  int: true,
  bigint: true,
  float: true,
  decimal: true,
  flag: true,
  looseFlag: true,
  bytes: true,
  packedInts: true,
  value: true,
  day: true,
  month: true,
  compactDay: true,
  unixSeconds: true,
  unixMillis: true,
  isoInstant: true,
  anyOf: true,
  oneOf: true,
  json: true,
  delimited: true,
  many: true,
  id: true,
  tagged: true,
  keyOf: true,
  compressed: true,
  messagePack: true,
  php: true,
  secret: true,
  optional: true,
  trimmed: true,
  quoted: true,
}

/** The parts of a composite codec, by their names. */
function partsOfCodec(spec: CodecSpec): [string, CodecSpec][] {
  if ("of" in spec) return [["of", spec.of]]
  if (spec.codec === "anyOf") return spec.codecs.map((one, i) => [`codecs[${i}]`, one])
  if (spec.codec === "many") return [["item", spec.item]]
  if (spec.codec === "delimited") return Object.entries(spec.fields)
  return spec.codec === "tagged" ? Object.entries(spec.tags) : []
}

/** A codec's spec as the caller's own copy; refuses codecs that Keywright does not know. */
export function specForm(spec: CodecSpec, path: string): CodecSpec {
  checkKnown(spec, path)
  return JSON.parse(JSON.stringify(spec)) as CodecSpec
}

function checkKnown(spec: CodecSpec | undefined, path: string): void {
  if (!spec || !Object.hasOwn(known, spec.codec)) throw jsonFormCustomCodec(path, spec?.codec)
  for (const [name, part] of partsOfCodec(spec)) checkKnown(part, `${path}.${name}`)
}
