import { literalWords, type Pattern } from "../mine/pattern.ts"
import { singular, nameWords } from "../mine/words.ts"

export interface FoundEntity {
  /** `"user"` */
  readonly name: string
  readonly pattern: Pattern
  readonly idField: string
  counter?: Pattern
  all?: Pattern
  /** Whether its ids are held in quotes; undefined as long as nothing holds them. */
  quoted?: boolean
  readonly indexes: FoundIndex[]
}

export interface FoundIndex {
  name: string
  readonly unique: boolean
  /** The fields whose values its parameters are, in the order of the first pattern's parameters. */
  readonly fields: readonly string[]
  /** For a sorted set: the field that its scores are. */
  readonly score?: string
  /** Only documents with these values are in it. */
  readonly where?: Readonly<Record<string, string | number | boolean>>
  /** The first is read, the others are mirrors. */
  readonly patterns: Pattern[]
}

/** Whether the pattern's words name the entity. */
export function names({ row }: Pattern, { pattern }: FoundEntity): boolean {
  const words = nameWords(row.pattern()).map((word) => singular(word).toLowerCase())
  return literalWords(pattern.row).every((word) => words.includes(singular(word).toLowerCase()))
}

/** A field's value as its codec will read it: in a hash everything is text. */
export function decoded({ type, described }: Pattern, field: string, value: unknown): unknown {
  if (type !== "hash") return value
  const spec = described.fields?.[field]
  const { codec } = spec?.codec === "optional" ? spec.of : (spec ?? { codec: "text" })
  if (codec === "int" || codec === "float") return Number(value)
  if (codec === "flag") return value === "1"
  if (codec === "unixSeconds") return new Date(1000 * Number(value))
  if (codec === "unixMillis") return new Date(Number(value))
  return codec === "isoInstant" ? new Date(String(value)) : codec === "text" || codec === "oneOf" ? value : undefined
}

/** A field that can be used in a pattern under its own name; what every object has, such as a constructor, cannot. */
export const isParamName = (field: string): boolean => /^[A-Za-z_]\w*$/.test(field) && !(field in {})

export const patternsOf = ({ pattern, counter, all, indexes }: FoundEntity): Pattern[] => [
  pattern,
  ...(counter === undefined ? [] : [counter]),
  ...(all === undefined ? [] : [all]),
  ...indexes.flatMap(({ patterns }) => patterns),
]
