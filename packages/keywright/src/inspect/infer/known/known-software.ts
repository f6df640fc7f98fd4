/* What is known of a program that keeps its data in Redis: the layout that its documentation or its sources describe.
 * A pattern is spelled as in a schema. In front, `*` is a prefix that everybody may choose; `{name…}` is a parameter
 * that takes any text, also with separators; `{name!}` grants access: a session, a token; of `{name=}` each value is a
 * pattern of its own, as long as there are few. */

export interface KnownSoftware {
  readonly name: string
  /** What heads its keys in a proposal. */
  readonly about: string
  /** Patterns, each with its Redis type: `"rq:queue:{queue} list"`. */
  readonly keys: readonly string[]
  /** Which of them give it away, and how many of these must be there. Default: two of all. */
  readonly signs?: readonly string[]
  readonly least?: number
  /** For patterns that any key could match: fields that the documents in the program's own keys have. */
  readonly fields?: Readonly<Record<string, readonly string[]>>
  /** The same, for values that are not documents: what they may look like, as a shape or as an atom of text. */
  readonly looks?: Readonly<Record<string, readonly string[]>>
}
