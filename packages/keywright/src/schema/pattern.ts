/* Key patterns: the one string that says what a key looks like.
 *
 *   "viewed:{token}"      a parameter is a name in braces
 *   "{userId}_liked"      it may be anywhere, and runs up to the next literal
 *   "{{userId}}:cart"     doubled braces also print the braces: a Cluster hash tag
 *
 * The same grammar is written twice, once for the compiler (the types) and once
 * for the machine (parsePattern). pattern.cases.ts is one table that both are
 * tested with, so that they cannot drift apart. */

import { patternBraces, patternDuplicate, patternName, patternTouching } from "../errors/pattern.ts"

// ── for the compiler ─────────────────────────────────────────────────────────

/**
 * The names of a pattern's parameters.
 * @example
 * type Names = ParamNames<"log:{level}:{day}"> // "level" | "day"
 */
export type ParamNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Bare<Name> | ParamNames<Rest>
  : never

/**
 * The type of the keys of a pattern.
 * @example
 * const key: KeyText<"cart:{token}"> = `cart:${"EB93"}`
 */
export type KeyText<P extends string> = P extends `${infer Head}{${infer Name}}${infer Rest}`
  ? `${Head}${Name extends `{${string}` ? "{" : ""}${string}${KeyText<Rest>}`
  : P

type Bare<Name extends string> = Name extends `{${infer Inner}` ? Inner : Name

/** A sentence that the compiler prints instead of a type. */
export interface Invalid<Message extends string> {
  readonly "~invalid": Message
}

/** `P` itself when it is a good pattern, else the reason why it is not. */
export type Checked<P extends string> = string extends P
  ? P
  : [Fault<P>] extends [never]
    ? P
    : Invalid<`"${P}": ${Fault<P>}`>

/** Walks the pattern from left to right; `Seen` are the names so far, `After` says that a parameter has just ended. */
type Fault<
  P extends string,
  Seen extends string = never,
  After extends boolean = false,
> = P extends `${infer Head}{${infer Tail}`
  ? Head extends `${string}}${string}`
    ? "a } without its {"
    : Head extends ""
      ? // The brace of a hash tag is a separator.
        After extends true
        ? Tail extends `{${string}`
          ? ParamFault<Tail, Seen>
          : "two parameters touch; put a separator between them"
        : ParamFault<Tail, Seen>
      : ParamFault<Tail, Seen>
  : P extends `${string}}${string}`
    ? "a } without its {"
    : never

type ParamFault<Tail extends string, Seen extends string> = Tail extends `{${infer Inner}`
  ? Inner extends `${infer Name}}}${infer Rest}`
    ? NameFault<Name, Seen, Rest, false>
    : "a {{ without its }}"
  : Tail extends `${infer Name}}${infer Rest}`
    ? NameFault<Name, Seen, Rest, true>
    : "a { without its }"

// oxlint-disable-next-line typescript/no-wrapper-object-types -- its names are what is asked for.
type OfEveryObject = keyof Object | `__${string}`

type NameFault<Name extends string, Seen extends string, Rest extends string, After extends boolean> = Name extends ""
  ? "a parameter needs a name between { and }"
  : Name extends `${string}${" " | "{" | "}" | ":"}${string}` | OfEveryObject
    ? `{${Name}} is not a name; use letters, digits and _`
    : Name extends Seen
      ? `{${Name}} appears twice; give each parameter its own name`
      : Fault<Rest, Seen | Name, After>

// ── for the machine ──────────────────────────────────────────────────────────

/** A literal text, or the name of a parameter. Two parameters are never adjacent. */
export type Segment = string | { readonly param: string }

/**
 * A pattern as its literal parts and its parameters. Throws for one that cannot be read back.
 * @example
 * console.log(parsePattern("cart:{token}").length) // → 2
 */
export function parsePattern(pattern: string): Segment[] {
  const segments: Segment[] = []
  const names = new Set<string>()
  let literal = ""
  // Literals at even positions; at odd ones a name, or for a hash tag {name}.
  pattern.split(/\{(\w+|\{\w+\})\}/).forEach((piece, i) => {
    const [name] = piece.match(/\w+/) ?? []
    const tagged = i % 2 === 1 && piece !== name
    if (i % 2 === 0) {
      if (/[{}]/.test(piece)) throw /\{[^{}]*\}/.test(piece) ? patternName(pattern) : patternBraces(pattern)
      literal += piece
      return
    }
    if (tagged) literal += "{"
    if (literal !== "") segments.push(literal)
    else if (i > 1) throw patternTouching(pattern)
    if (names.has(name!)) throw patternDuplicate(pattern, name!)
    if ((name as string) in {}) throw patternName(pattern) // constructor, __proto__: every object has them.
    names.add(name!)
    segments.push({ param: name! })
    literal = tagged ? "}" : ""
  })
  if (literal !== "") segments.push(literal)
  return segments
}
