/* A parameter of a pattern as the page asks for it. */

import type { KeyModel } from "../../inspect/model/model.ts"
import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import type { ParamInfo } from "../api.ts"
import type { OpenSystem } from "./open-system.ts"

export function paramInfo(system: OpenSystem, row: KeyModel, name: string): ParamInfo {
  const codec = row.declared.params[name]!
  const choices = choicesOf(codec.spec)
  return {
    name,
    type: codec.name,
    secret: system.secretParams(row).has(name),
    ...(codec.id !== undefined && { id: codec.id }),
    ...(choices && { choices }),
  }
}

const choicesOf = (spec: CodecSpec): string[] | undefined =>
  spec.codec === "oneOf"
    ? spec.values.map(String)
    : spec.codec === "id" || spec.codec === "secret"
      ? choicesOf(spec.of)
      : undefined
