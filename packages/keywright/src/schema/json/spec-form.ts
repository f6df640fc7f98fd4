import { jsonFormCustomCodec } from "../../errors/json-form.ts"
import { type CodecSpec, partsOf } from "../codec/codec-spec.ts"

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

/** A codec's spec as the caller's own copy; refuses codecs that Keywright does not know. */
export function specForm(spec: CodecSpec, path: string): CodecSpec {
  checkKnown(spec, path)
  return JSON.parse(JSON.stringify(spec)) as CodecSpec
}

function checkKnown(spec: CodecSpec | undefined, path: string): void {
  if (!spec || !Object.hasOwn(known, spec.codec)) throw jsonFormCustomCodec(path, spec?.codec)
  for (const [name, part] of partsOf(spec)) checkKnown(part, `${path}.${name}`)
}
