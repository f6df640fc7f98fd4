/* Ids have names. `id("token")` used in two places says that both hold tokens:
 * the compiler refuses a user's id there, the docs link them, audit follows them.
 *
 * The name is a flavour, not a wall: a plain text is taken as any id, so that ids
 * from a request or a literal in a test need no cast; an id of another name is not. */

import { codecRefused } from "../../errors/codec.ts"
import { literalMask } from "../mask.ts"
import { codec, type Codec } from "./codec.ts"
import { text } from "./text.ts"

declare const idName: unique symbol

/** A `string` or `number` that is known to be the id of a `Name`. */
export type Id<Name extends string, Base = string> = Base & { readonly [idName]?: Name }

export interface IdOptions {
  /** What an id looks like; it must match as a whole. */
  readonly matching?: RegExp
  /** Characters that segments usually may not contain, such as ":" or "/". */
  readonly allow?: string
}

export interface IdCodec<Name extends string, Base = string> extends Codec<Id<Name, Base>> {
  readonly id: Name
}

/** A named id: text, or what another codec makes: `id("post", int)`. */
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
  const whole = matching && new RegExp(`^(?:${matching.source})$`, "u")
  const check = (raw: string) => {
    if (whole && !whole.test(raw)) throw codecRefused("ID", `a ${name} id matching ${whole.source}`, raw)
    return raw
  }
  return codec({
    ...of,
    name: `${name} id`,
    spec: {
      codec: "id",
      name,
      of: of.spec,
      ...(matching && { matching: matching.source }),
      ...(options.allow === undefined ? {} : { allow: options.allow }),
    },
    id: name,
    ...(allow === undefined ? {} : { allow }),
    encode: (value: string) => check(of.encode(value)),
    decode: (raw: string) => of.decode(check(raw)),
  })
}

/** Several kinds of id in one place, told apart by a prefix: `tagged({ u_: user, c_: channel })`. */
export function tagged<const T extends Readonly<Record<string, Codec<string>>>>(
  tags: T,
): Codec<{ [Tag in keyof T & string]: { tag: Tag; id: T[Tag] extends Codec<infer R> ? R : never } }[keyof T & string]> {
  type Value = { tag: keyof T & string; id: string }
  // Longest first, so that "user_" is not taken for "u".
  const names = Object.keys(tags).sort((a, b) => b.length - a.length)
  const expected = `an id that starts with ${names.join(" or ")}`
  return codec({
    name: names.join(" or ") + " ids",
    spec: { codec: "tagged", tags: Object.fromEntries(names.map((tag) => [tag, tags[tag]!.spec])) },
    example: `${names[0]}${tags[names[0]!]!.example}`,
    mask: names.flatMap((tag) => (tags[tag]!.mask ?? ["*+"]).map((mask) => literalMask(tag) + mask)),
    encode(value: Value) {
      if (!Object.hasOwn(tags, value?.tag)) throw codecRefused("TAGGED", expected, value?.tag)
      return value.tag + tags[value.tag]!.encode(value.id)
    },
    decode(raw: string) {
      const tag = names.find((name) => raw.startsWith(name))
      if (tag === undefined) throw codecRefused("TAGGED", expected, raw)
      return { tag, id: tags[tag]!.decode(raw.slice(tag.length)) }
    },
  }) as never
}
