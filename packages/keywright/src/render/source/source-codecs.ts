/* Codecs as source text. Ids and documents that are used get their own names. */

import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import { call, type Code, field, identifier, jsonFields, maybeObject, object, print } from "./code.ts"
import type { DocumentPrinter } from "./source-documents.ts"

/** What the toolkit exports: no name of a schema may hide it. */
const EXPORTS = new Set(
  "anyOf arrayOf at bigint bitmap bytes codecFrom compactDay compare compressed connect counter csv database day decimal delimited either entity excludes family fixed flag float geo hash hyperloglog id infer int inverse isoInstant jackson job json keyOf keyspace layout list looseFlag many map maybe messagePack month oneOf optional packedInts php quoted refersTo replicated sameIds scope secret set sliding step stream string tagged text trimmed unixMillis unixSeconds upTo zset z v type".split(
    " ",
  ),
)

export class SourceNames {
  /** Functions of the toolkit that the text needs. */
  readonly used = new Set<string>()
  /** Constants, in the order of their use: name and expression. */
  readonly constants = new Map<string, Code>()
  usesDocuments = false
  readonly #documents: DocumentPrinter
  readonly #ids = new Map<string, string>()
  /** Names of documents, by what is printed of them. */
  readonly #byText = new Map<string, string>()
  readonly #taken: ReadonlySet<string>

  /** `taken`: names that the text has for something else. */
  constructor(documents: DocumentPrinter, taken: readonly string[] = []) {
    this.#documents = documents
    this.#taken = new Set(taken)
  }

  use(name: string): string {
    this.used.add(name)
    return name
  }

  /** The constant of an id, by the id's name. */
  idNamed(name: string): string | undefined {
    return [...this.#ids].find(([spec]) => idName(JSON.parse(spec) as CodecSpec) === name)?.[1]
  }

  /** A codec; `label` is what a document in it may be called. */
  codec(spec: CodecSpec, label: string): Code {
    switch (spec.codec) {
      case "id":
        return this.#id(spec, spec.name)
      case "secret":
        return spec.of.codec === "id"
          ? this.#id(spec, spec.of.name)
          : call(this.use("secret"), this.codec(spec.of, label))
      case "int":
      case "float":
        return this.#bounded(spec)
      case "anyOf":
        return call(this.use("anyOf"), ...spec.codecs.map((one) => this.codec(one, label)))
      case "optional":
      case "trimmed":
      case "quoted":
      case "messagePack":
      case "php":
        return call(this.use(spec.codec), this.codec(spec.of, label))
      case "compressed":
        return call(
          this.use("compressed"),
          this.codec(spec.of, label),
          ...maybeObject(jsonFields({ format: spec.format })),
        )
      case "json":
        if (spec.jackson === undefined) return call(this.use("json"), this.#document(spec.schema, label))
        return call(this.use("jackson"), this.#document(spec.schema, label), JSON.stringify(spec.jackson))
      case "oneOf":
        return call(this.use("oneOf"), ...spec.values.map((value) => JSON.stringify(value)))
      case "many":
        return call(
          this.use("many"),
          this.codec(spec.item, label),
          ...(spec.separator === "," && spec.length === undefined ? [] : [JSON.stringify(spec.separator)]),
          ...maybeObject(jsonFields({ length: spec.length })),
        )
      case "delimited":
        return this.#delimited(spec, label)
      case "keyOf":
        return call(this.use("keyOf"), object(jsonFields(spec.keys)), ...maybeObject(jsonFields({ grace: spec.grace })))
      case "tagged":
        return call(
          this.use("tagged"),
          object(Object.entries(spec.tags).map(([tag, of]) => field(tag, this.codec(of, label)))),
        )
      case "value":
        return this.use("text")
      default:
        return this.use(spec.codec)
    }
  }

  #bounded({ codec, min, max }: Extract<CodecSpec, { codec: "int" | "float" }>): Code {
    const ends = jsonFields({ min, max })
    return ends.length === 0 ? this.use(codec) : call(this.use(codec), object(ends))
  }

  #delimited(spec: Extract<CodecSpec, { codec: "delimited" }>, label: string): Code {
    const fields = object(Object.entries(spec.fields).map(([name, of]) => field(name, this.codec(of, label))))
    return spec.separator === ","
      ? call(this.use("csv"), fields)
      : call(this.use("delimited"), JSON.stringify(spec.separator), fields)
  }

  /** Every use of the same id is the same constant. */
  #id(spec: CodecSpec, name: string): string {
    const known = this.#ids.get(JSON.stringify(spec))
    if (known !== undefined) return known
    const constant = this.#fresh(EXPORTS.has(name) ? `${name}Id` : identifier(name, "id"))
    this.#ids.set(JSON.stringify(spec), constant)
    this.constants.set(constant, this.#idCode(spec))
    return constant
  }

  #idCode(spec: CodecSpec): Code {
    if (spec.codec === "secret") return call(this.use("secret"), this.#idCode(spec.of))
    if (spec.codec !== "id") return this.codec(spec, "value")
    const { name, of, matching, allow, example } = spec
    const options = [
      ...(matching === undefined ? [] : [field("matching", `/${new RegExp(matching, "u").source}/u`)]),
      ...jsonFields({ allow, example }),
    ]
    const values = of.codec === "text" ? [] : [this.codec(of, name)]
    return call(this.use("id"), JSON.stringify(name), ...values, ...maybeObject(options))
  }

  /** A document with fields is worth a name, which all that are the same share; others are written where they are used. */
  #document(schema: Readonly<Record<string, unknown>> | undefined, label: string): Code {
    this.usesDocuments = true
    const code = this.#documents.print(schema ?? {})
    if (schema?.["properties"] === undefined || print(code).length < 60) return code
    const known = this.#byText.get(print(code))
    if (known !== undefined) return known
    const name = this.#fresh(capital(identifier(label, "Value")))
    this.constants.set(name, code)
    this.#byText.set(print(code), name)
    return name
  }

  #fresh(name: string): string {
    let made = name
    for (let n = 2; this.constants.has(made) || this.#taken.has(made); n++) made = `${name}${n}`
    return made
  }
}

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1)

const idName = (spec: CodecSpec): string | undefined =>
  spec.codec === "secret" ? idName(spec.of) : spec.codec === "id" ? spec.name : undefined
