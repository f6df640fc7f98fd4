/* Ids have names. `id("token")` used in two places says that both hold tokens:
 * the compiler refuses a user's id there, the docs link them, audit follows them.
 *
 * The name is a hint, not a barrier: a plain text is accepted as any id, so that ids
 * from a request or a literal in a test need no cast; an id of another name is not. */

import { codecRefused } from "../../errors/codec.ts"
import { definitionRefused } from "../../errors/define.ts"
import { literalMask } from "../mask.ts"
import { codec, type Codec } from "./codec.ts"
import { text } from "./text.ts"
import { hiddenWith } from "./wrap.ts"

declare const idName: unique symbol

/**
 * A `string` or `number` that is known to be the id of a `Name`.
 * @example
 * const find = (user: Id<"user">) => db.user.get(user)
 */
export type Id<Name extends string, Base = string> = Base & { readonly [idName]?: Name }

/**
 * Options of `id`: how its texts look, and which characters they may contain.
 * @example
 * const slug = id("slug", { matching: /[a-z0-9-]{1,40}/, example: "red-shoes" })
 */
export interface IdOptions {
  /** What an id looks like; it must match as a whole. */
  readonly matching?: RegExp
  /** Characters that segments usually may not contain, such as ":" or "/". */
  readonly allow?: string
  /** For docs: an id as it may look, such as "EB93-1A27". */
  readonly example?: string
}

/**
 * What `id` makes: a codec that knows the name of its ids.
 * @example
 * const token: IdCodec<"token"> = id("token")
 */
export interface IdCodec<Name extends string, Base = string> extends Codec<Id<Name, Base>> {
  readonly id: Name
}

/**
 * A named id: text, or what another codec makes. The name keeps a user's id from being used as a post's, and links the
 * places that hold it in docs, audit and studio.
 * @example
 * const user = id("user")
 * const post = id("post", int)
 * const likes = set("post:{post}:likes", user, { params: { post }, ttl: "never" })
 */
export function id<const Name extends string>(name: Name, options?: IdOptions): IdCodec<Name>
export function id<const Name extends string, Base extends string | number | bigint>(
  name: Name,
  of: Codec<Base>,
  options?: IdOptions,
): IdCodec<Name, Base>
export function id(name: string, first?: Codec<string> | IdOptions, second?: IdOptions): IdCodec<string> {
  const of = first && "encode" in first ? first : text
  const options = (first && "encode" in first ? second : first) ?? {}
  const { matching, allow = of.allow } = options
  const whole = matching && wholeText(name, matching)
  const check = (raw: string) => {
    if (whole && !whole.test(raw)) throw codecRefused("ID", `a ${name} id matching ${whole.source}`, raw)
    return raw
  }
  const { example = whole?.test(of.example) === false ? "…" : of.example } = options
  if (options.example !== undefined) of.decode(check(example))
  const made: IdCodec<string> = {
    ...of,
    name: `${name} id`,
    spec: {
      codec: "id",
      name,
      of: of.spec,
      ...(matching && { matching: matching.source }),
      ...(options.allow === undefined ? {} : { allow: options.allow }),
      ...(options.example === undefined ? {} : { example: options.example }),
    },
    example,
    id: name,
    ...(allow === undefined ? {} : { allow }),
    encode: (value: string) => check(of.encode(value)),
    decode: (raw: string) => of.decode(check(raw)),
  }
  return codec(hiddenWith([of], made))
}

/** Always read with the flag u: a flag would not survive where only the source is kept. */
function wholeText(name: string, { source, flags }: RegExp): RegExp {
  if (flags.replace("u", "") !== "") throw definitionRefused(`${name} id`, `matching may not have the flags "${flags}"`)
  try {
    return new RegExp(`^(?:${source})$`, "u")
  } catch (cause) {
    throw Object.assign(definitionRefused(`${name} id`, "matching is not valid with the flag u"), { cause })
  }
}

/**
 * Several kinds of id in one place, distinguished by a prefix.
 * @example
 * const member = tagged({ u_: id("user"), c_: id("channel") })
 * console.log(member.encode({ tag: "u_", id: "17" })) // → u_17
 */
export function tagged<const T extends Readonly<Record<string, Codec<string>>>>(
  tags: T,
): Codec<{ [Tag in keyof T & string]: { tag: Tag; id: T[Tag] extends Codec<infer R> ? R : never } }[keyof T & string]> {
  type Value = { tag: keyof T & string; id: string }
  // Longest first, so that "user_" is not mistaken for "u".
  const names = Object.keys(tags).sort((a, b) => b.length - a.length)
  const expected = `an id that starts with ${names.join(" or ")}`
  if (names.length === 0) throw definitionRefused("tagged", "no tags")
  const split = (raw: string): [string, string] => {
    const tag = names.find((name) => raw.startsWith(name) && raw.length > name.length)
    if (tag === undefined) throw codecRefused("TAGGED", expected, raw)
    return [tag, raw.slice(tag.length)]
  }
  const parts = Object.values<Codec<string>>(tags)
  const allow = parts.map((part) => part.allow ?? "").join("")
  const made: Codec<unknown, Value> = {
    name: names.join(" or ") + " ids",
    spec: { codec: "tagged", tags: Object.freeze(Object.fromEntries(names.map((tag) => [tag, tags[tag]!.spec]))) },
    example: `${names[0]}${tags[names[0]!]!.example}`,
    mask: names.flatMap((tag) => (tags[tag]!.mask ?? ["*+"]).map((mask) => literalMask(tag) + mask)),
    ...(allow === "" ? {} : { allow }),
    encode(value) {
      if (!Object.hasOwn(tags, value?.tag)) throw codecRefused("TAGGED", expected, value?.tag)
      const raw = value.tag + tags[value.tag]!.encode(value.id)
      // With the tags u and us, u and "ser" would come back as us and "er".
      if (split(raw)[0] !== value.tag) throw codecRefused("TAGGED", `an id that ${value.tag} tells apart`, raw)
      return raw
    },
    decode(raw) {
      const [tag, rest] = split(raw)
      return { tag, id: tags[tag]!.decode(rest) }
    },
  }
  return codec(hiddenWith(parts, made)) as never
}
