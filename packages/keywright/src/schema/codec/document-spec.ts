import type { CodecSpec } from "./codec-spec.ts"

/** A document inside of a packed value: what `json` describes, however it is stored. Undefined for other values. */
export function documentSpec(spec: CodecSpec): Extract<CodecSpec, { readonly codec: "json" }> | undefined {
  if (spec.codec === "json") return spec
  return isPacking(spec) ? documentSpec(spec.of) : undefined
}

type PackingSpec = Extract<CodecSpec, { readonly codec: "compressed" | "messagePack" | "php" }>

/** Codecs that store another codec's value in a form of their own. */
export const isPacking = (spec: CodecSpec): spec is PackingSpec =>
  spec.codec === "compressed" || spec.codec === "messagePack" || spec.codec === "php"

export const isSamePacking = (one: PackingSpec, other: PackingSpec): boolean =>
  one.codec === other.codec && formatOf(one) === formatOf(other)

const formatOf = (spec: PackingSpec) => (spec.codec === "compressed" ? spec.format : undefined)
