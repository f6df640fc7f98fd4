import type { CodecSpec } from "../../schema/codec/codec-spec.ts"

/** A codec in the fewest words that distinguish it from another: `int(1 to 5)`. */
export function codecText(spec: CodecSpec): string {
  switch (spec.codec) {
    case "id":
      return spec.matching === undefined ? codecText(spec.of) : `/${spec.matching}/`
    case "secret":
    case "optional":
      return codecText(spec.of)
    case "trimmed":
    case "quoted":
    case "messagePack":
    case "php":
      return `${spec.codec}(${codecText(spec.of)})`
    case "compressed":
      if (spec.format !== undefined) return `compressed(${codecText(spec.of)}, ${spec.format})`
      return `${spec.codec}(${codecText(spec.of)})`
    case "oneOf":
      return `oneOf(${spec.values.join(", ")})`
    case "many":
      return `many(${codecText(spec.item)}${spec.length === undefined ? "" : ` × ${spec.length}`} by ${JSON.stringify(spec.separator)})`
    case "int":
    case "float":
      return spec.min === undefined && spec.max === undefined
        ? spec.codec
        : `${spec.codec}(${spec.min ?? "…"} to ${spec.max ?? "…"})`
    default:
      return spec.codec
  }
}
