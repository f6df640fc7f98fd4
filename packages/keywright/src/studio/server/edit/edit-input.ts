/* What a form sends, read by the codecs: texts as they are stored, JSON as it is. All
 * mistakes are reported at once, by field. */

import { documentSpec } from "../../../schema/codec/document-spec.ts"
import { isKeywrightError } from "../../../errors/error.ts"
import { editRefused, type StudioIssue } from "../../../errors/studio.ts"
import type { AnyCodec, CodecFields } from "../../../schema/codec/codec.ts"
import { decode } from "../../../inspect/model/decoding.ts"
import type { CodecSpec } from "../../../schema/codec/codec-spec.ts"

export type EditInput = Readonly<Record<string, unknown>>

/** Collects what is wrong. */
export class InputReader {
  readonly issues: StudioIssue[] = []

  /** `name` as the page calls the field. */
  value(codec: AnyCodec, given: unknown, name: string): unknown {
    if (isJson(codec.spec)) return given
    if (typeof given === "number" || typeof given === "boolean") return this.value(codec, String(Number(given)), name)
    if (typeof given !== "string") {
      this.issues.push({ field: name, message: given === undefined ? "it is missing" : "expected a text" })
      return undefined
    }
    try {
      return decode(codec, given)
    } catch (error) {
      if (!isKeywrightError(error)) throw error
      this.issues.push({ field: name, message: codec.secret ? "it does not fit" : error.message })
      return undefined
    }
  }

  /** Fields of a hash; null for one that is to be removed. */
  fields(codecs: CodecFields, given: EditInput): Record<string, unknown> {
    const read: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(given)) {
      const codec = Object.hasOwn(codecs, name) ? codecs[name] : undefined
      if (codec === undefined) this.issues.push({ field: name, message: "there is no such field" })
      else if (value === null && codec.optional) read[name] = undefined
      else if (value === null) this.issues.push({ field: name, message: "it cannot be left out" })
      else read[name] = this.value(codec, value, name)
    }
    return read
  }

  done(): void {
    if (this.issues.length > 0) throw editRefused("the schema refuses some of it", this.issues)
  }
}

const isJson = (spec: CodecSpec): boolean =>
  documentSpec(spec) !== undefined || ((spec.codec === "optional" || spec.codec === "secret") && isJson(spec.of))

/** An error of the toolkit as what is wrong with which field. */
export function issuesOf(error: unknown): StudioIssue[] {
  if (!isKeywrightError(error)) return []
  const { issues, index } = error.details ?? {}
  if (Array.isArray(issues))
    return (issues as unknown[]).map((issue) => {
      const [, field, message] = /^([^:]*): (.*)$/s.exec(String(issue)) ?? []
      return message === undefined
        ? { field: "value", message: String(issue) }
        : { field: field!.split(".")[0]!, message }
    })
  return typeof index === "string" ? [{ field: index, message: error.message }] : []
}
