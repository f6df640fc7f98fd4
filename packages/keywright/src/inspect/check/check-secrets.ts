/* Secrets that look unmarked: names that usually mean a secret, whose codec is not secret
 * and that the key does not list. What is not marked is printed by every command, in
 * docs, findings and exports. */

import { documentSpec } from "../../schema/codec/document-spec.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { describeCodec } from "../../schema/json/describe.ts"
import type { Key } from "../../schema/key.ts"
import type { CheckFinding } from "./check-finding.ts"

const WORDS = new Set(
  "passphrase pwd apikey apikeys credential credentials authorization jwt otp cvv cvc ssn".split(" "),
)
/** Also without anything between the words, as in `accesstoken`. */
const ENDS = /(?:password|passwd|passcode|secret|token|(?:private|access|secret|auth|signing)key)s?$/
const PAIRS = /(?:api|private|access|secret|auth|server|signing) key|session id/

/** What follows a secret's name and says something about it. */
const ABOUT = /^(count|counter|total|type|kind|ttl|at|time|expiry|expires|length|hint|name|version)$/

/** `"refreshToken"`, `"api_key"` and `"password2"` do; `"tokenCount"` counts them and does not. */
export function soundsSecret(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "")
  if (ABOUT.test(words.at(-1) ?? "")) return false
  const plain = words.map((word) => word.replace(/^([a-z]+)\d+$/, "$1"))
  return plain.some((word) => WORDS.has(word) || ENDS.test(word)) || PAIRS.test(words.join(" "))
}

/** Keys with a secret part that are held as values which are not. */
export function unmarkedKeys(key: Key, keys: readonly Key[]): CheckFinding[] {
  if (key.secret === true) return []
  const { fields, ...parts } = key.shape as { fields?: Record<string, AnyCodec> } & Record<string, AnyCodec>
  const listed: readonly string[] = key.secret ?? []
  return Object.entries({ ...parts, ...fields }).flatMap(([part, codec]) => {
    if (codec.secret === true || codec.spec.codec !== "keyOf" || listed.includes(part)) return []
    const patterns = Object.values(codec.spec.keys)
    const held = keys.find(
      ({ pattern, params }) =>
        patterns.some((one) => pattern.endsWith(one)) && Object.values(params).some((one) => one.secret === true),
    )
    return held === undefined
      ? []
      : [
          {
            code: "SCHEMA.SECRET_UNMARKED",
            severity: "warning",
            message: `${part} of ${key.pattern} is a key of ${held.pattern}, which has a secret part, and is not marked as a secret`,
            why: "Commands, docs, findings and exports print what is not marked.",
            fix: "Wrap its codec: secret(keyOf(…)).",
          } as const,
        ]
  })
}

export function unmarkedSecrets(key: Key, keys: readonly Key[]): CheckFinding[] {
  if (key.secret === true) return []
  const listed: readonly string[] = key.secret ?? []
  const record = key.entity && keys.find(({ name }) => name === key.entity?.name)
  const ofRecord = Array.isArray(record?.secret) ? (record.secret as readonly string[]) : []
  const params = Object.entries(key.params)
    .filter(([name, codec]) => soundsSecret(codec.id ?? name) && codec.secret !== true && !ofRecord.includes(name))
    .map(([name]) => `{${name}}`)
  const found = [...params, ...secretSoundingParts(key).filter((field) => !listed.includes(field))]
  return found.map((part) => ({
    code: "SCHEMA.SECRET_UNMARKED",
    severity: "warning",
    message: `${part} of ${key.pattern} sounds like a secret and is not marked as one`,
    why: "Commands, docs, findings and exports print what is not marked.",
    fix: part.startsWith("{")
      ? "Wrap its codec: secret(id(…))."
      : `Wrap its codec in secret(…), or list it: secret: ["${part}"].`,
  }))
}

/** The parts of a value that sound secret and whose codec is not. */
function secretSoundingParts(key: Key): string[] {
  const { fields, ...parts } = key.shape as { fields?: Record<string, AnyCodec> } & Record<string, AnyCodec>
  if (fields) return Object.keys(fields).filter((name) => soundsSecret(name) && fields[name]!.secret !== true)
  const value = parts["value"]
  if (value !== undefined && documentSpec(value.spec)) {
    const properties = describeCodec(value)["properties"] as object | undefined
    return Object.keys(properties ?? {}).filter(soundsSecret)
  }
  const codecs = Object.entries(parts).filter(([part]) => part !== "score")
  const entry = key.name.slice(key.name.lastIndexOf(".") + 1)
  const named = codecs.filter(([, codec]) => codec.id !== undefined && soundsSecret(codec.id) && codec.secret !== true)
  if (named.length > 0) return named.map(([part]) => part)
  // The name of the key describes its value: resetToken: string("reset:{user}", text).
  const marked =
    codecs.some(([, codec]) => codec.secret === true) || codecs.every(([, codec]) => codec.numeric === true)
  return key.entity || marked || !soundsSecret(entry) ? [] : codecs.slice(-1).map(([part]) => part)
}
