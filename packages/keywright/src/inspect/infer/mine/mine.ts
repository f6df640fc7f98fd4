/* From some thousand keys to their patterns.
 *
 * Keys are compared segment by segment. At each position there are atoms (numbers, dates,
 * digests), which are recognised as parameters by their form; composites, whose template
 * is kept when few templates cover many texts; and words, which are literals unless many
 * of them have similar continuations: then they are names, and a parameter. What is
 * similar is decided by how the keys continue, by their Redis type and by the shape of
 * their values. */

import { type Atom, atomOf, isCompactDay } from "../values/atoms.ts"
import { groupBy } from "../../../schema/group-by.ts"
import type { ValueShape } from "../values/shape.ts"
import { joined, type KnownPattern, recognise } from "../known/recognise.ts"
import { affixed } from "./mine-affixes.ts"
import { gluedTo, gluedWord } from "./mine-glued.ts"
import { type KeyBranch, profileOf, similar, within } from "./mine-profile.ts"
import { type ListedNames, listedIn } from "./mine-listed.ts"
import { clusters, isNames, looseClusters, RESERVED } from "./mine-words.ts"
import { segmentsOf, type KeySegment } from "./segments.ts"
import { words as limits } from "../thresholds.ts"

export interface Learned extends ValueShape {
  readonly key: string
}

/** How a parameter is declared: by a codec that refuses, or as text. */
export type ParamKind = "int" | "day" | "month" | "compactDay" | "text"

export interface Param {
  readonly kind: ParamKind
  readonly atom: Atom
  /** It is in braces: a Cluster hash tag. */
  readonly tag?: true
}

/** Literals and parameters, in turn. */
export type PatternPart = string | Param

export interface Mined {
  readonly parts: readonly PatternPart[]
  readonly keys: readonly Learned[]
  /** If it is the pattern of a well-known program. */
  readonly known?: KnownPattern
}

export interface MinedKey {
  readonly learned: Learned
  readonly segments: readonly KeySegment[]
}

/** Words that were found to be data somewhere: they are so everywhere. */
interface DataWords {
  readonly known: ReadonlySet<string>
  readonly found: Set<string>
  readonly listed: readonly ListedNames[]
}

/** The patterns of these keys, each with its keys. */
export function mine(all: readonly Learned[]): Mined[] {
  const { known, rest: keys } = recognise(all)
  return [...known, ...mineUnknown(keys).filter((one) => !isCatchAll(one))]
}

/** One parameter that takes texts of any form says nothing: its keys are better left unexplained. */
const isCatchAll = ({ parts: [part, ...others] }: Mined): boolean =>
  others.length === 0 && typeof part === "object" && part.tag !== true && part.kind === "text" && ANY.has(part.atom)

const ANY: ReadonlySet<Atom> = new Set(["slug", "other"])

function mineUnknown(keys: readonly Learned[]): Mined[] {
  const items = keys.map((learned) => ({ learned, segments: segmentsOf(learned.key) }))
  const found = new Set<string>()
  const listed = listedIn(keys)
  const first = grow(items, 0, [], { known: new Set(), found, listed })
  return found.size === 0 ? first : grow(items, 0, [], { known: found, found: new Set(), listed })
}

function grow(items: readonly MinedKey[], at: number, parts: readonly PatternPart[], names: DataWords): Mined[] {
  const ended = items.filter(({ segments }) => segments.length === at)
  const found: Mined[] = ended.length === 0 ? [] : [{ parts, keys: ended.map(({ learned }) => learned) }]
  const bySep = groupBy(
    items.filter(({ segments }) => segments.length > at),
    ({ segments }) => `${segments[at]!.sep}${segments[at]!.kind === "tag" ? "{" : ""}`,
  )
  for (const [, group] of bySep)
    for (const { parts: own, items: next } of branches(group, at, parts, names))
      found.push(...grow(next, at + 1, joined([...parts, group[0]!.segments[at]!.sep, ...own]), names))
  return found
}

/** What the segment at one place can be. */
function branches(
  items: readonly MinedKey[],
  at: number,
  before: readonly PatternPart[],
  { known, found: seen, listed }: DataWords,
): KeyBranch[] {
  const kinds = groupBy(items, ({ segments }) => segments[at]!.kind)
  const tags = kinds.get("tag")
  if (tags) return [{ parts: [param(tags, at)], items: tags }]
  const found: KeyBranch[] = []
  const glued = at === 0 ? gluedTo([...(kinds.get("atom") ?? []), ...(kinds.get("composite") ?? [])]) : []
  found.push(...glued.map(({ word, items: own }) => ({ parts: [word, param(own, at)], items: own })))
  const isGlued = new Set(glued.flatMap(({ items: own }) => own))
  const of = (kind: KeySegment["kind"]) => (kinds.get(kind) ?? []).filter((item) => !isGlued.has(item))

  const plain = of("atom")
  const isNameless = !before.some((part) => typeof part === "string" && /\p{L}/u.test(part))
  const { kept, loose } = templates(of("composite"), at, plain, isNameless)
  found.push(...kept)

  const atoms = groupBy(plain, ({ segments }) => segments[at]!.atom)
  for (const item of loose) atoms.set("mixed", [...(atoms.get("mixed") ?? []), item])

  const words = kinds.get("word") ?? []
  const { apart, rest } = affixed(words, at)
  found.push(...apart)
  const all = clusters(rest, at, known)
  const others = all.reduce((sum, { words: own }) => sum + own.length, 0)
  const data = all.filter((cluster) => isNames(cluster, { at, before, others, listed, known }))
  const left = all.filter((cluster) => !data.includes(cluster)).flatMap((cluster) => cluster.items)
  if (at > 0) data.push(...looseClusters(left, at))
  const names = data.flatMap((cluster) => cluster.items)
  const taken = new Set(names)
  for (const cluster of data) for (const word of cluster.words) seen.add(word)
  const literals = left.filter((item) => !taken.has(item))
  for (const [text, own] of groupBy(literals, ({ segments }) => segments[at]!.text))
    found.push({ parts: [text], items: own })
  return adopted(found, params(atoms, names, at, before), at)
}

/** Single words beside names, or beside ids, that continue like those are names as well. */
function adopted(literals: readonly KeyBranch[], found: KeyBranch[], at: number): KeyBranch[] {
  const isText = ({ parts: [part] }: KeyBranch) => typeof part === "object" && part.kind === "text"
  const isOpen = ({ parts: [part] }: KeyBranch) => NAMES.has((part as Param).atom)
  const open = found.filter(isText).find(isOpen) ?? found.find(isText)
  if (at === 0 || open === undefined) return [...literals, ...found]
  const profile = profileOf(open.items, at)
  const isLike = isOpen(open) ? similar : within
  const joins = ({ parts, items }: KeyBranch) =>
    parts.length === 1 &&
    parts[0] !== "" &&
    !RESERVED.has(parts[0] as string) &&
    items.length <= open.items.length &&
    isLike(profile, profileOf(items, at))
  const more = literals.filter(joins)
  if (more.length === 0) return [...literals, ...found]
  const items = [...open.items, ...more.flatMap((one) => one.items)]
  const all = { parts: [param(items, at)], items }
  return [...literals.filter((one) => !more.includes(one)), ...found.filter((one) => one !== open), all]
}

const NAMES: ReadonlySet<Atom> = new Set(["word", "mixed", "slug", "token", "other"])

/** Composites whose template is a part of the pattern, and those that are just ids. */
function templates(
  items: readonly MinedKey[],
  at: number,
  atoms: readonly MinedKey[],
  isNameless: boolean,
): { kept: KeyBranch[]; loose: MinedKey[] } {
  const kept: KeyBranch[] = []
  const loose: MinedKey[] = []
  const all = groupBy(items, ({ segments }) => segments[at]!.template)
  const isMany = all.size > Math.max(12, items.length / 4) || (at > 0 && areAlike([...all.values()], at))
  const isApart = all.size > 1 && all.size <= 6 && areOthers([...all.values()], at)
  for (const [, own] of all) {
    const { pieces } = own[0]!.segments[at]!
    // One that happens to look composed, among many that do not, counts as one of them.
    const isChance = 5 * own.length <= atoms.length && similar(profileOf(atoms, at), profileOf(own, at))
    const tells = isTelling(pieces, isNameless, own[0]!.segments.length) || (isApart && /\p{L}{3}/u.test(pieces[0]!))
    if (isChance || isMany || !tells || !isSeparable(own, at)) loose.push(...own)
    else {
      const parts = pieces.flatMap((piece, i) => (i % 2 === 0 ? [piece] : pieceParts(own, at, i)))
      kept.push({ parts: joined(parts), items: own })
    }
  }
  return { kept, loose }
}

/** Several templates with similar continuations are names of one kind: `db_1_dev`, `db_1_live`. */
const areAlike = ([first, ...others]: readonly MinedKey[][], at: number): boolean => {
  if (first === undefined || others.length === 0 || first[0]!.segments.length === at + 1) return false
  const profile = profileOf(first, at, true)
  return others.every((own) => similar(profile, profileOf(own, at, true)))
}

/** Templates whose keys hold other things, each of them: `product.{}` and `tree_{}`. */
const areOthers = (groups: readonly MinedKey[][], at: number): boolean => {
  const profiles = groups.map((own) => profileOf(own, at, true))
  return profiles.every((one, i) => profiles.every((other, j) => i === j || !similar(one, other)))
}

/** Whether its literals say what it is: `_liked_posts` does, the tag in `u_1` is a part of the id. */
function isTelling(pieces: readonly string[], isNameless: boolean, length: number): boolean {
  const literals = pieces.filter((_, i) => i % 2 === 0)
  if (literals.some((piece) => /[{}]/.test(piece))) return false
  const [head = "", ...tails] = literals
  const words = (text: string) => text.match(/\p{L}{2,}/gu)?.length ?? 0
  // What precedes the address of a client is not a part of it: `GET/b-10.1.2.3`.
  if (/\p{L}/u.test(head) && pieces.length === 3 && tails[0] === "" && atomOf(pieces[1]!) === "ip") return true
  if (/\p{L}{3}/u.test(head) && (isDigest(pieces[1] ?? "") || head.endsWith("/"))) return true
  if (tails.some((tail) => /\p{L}{3}/u.test(tail)) || /^\p{L}{4,}\.$/u.test(head)) return true
  if (isNameless) return words(head) > 0 || length === 1
  return words(head) > 1
}

const isDigest = (text: string): boolean => {
  const atom = atomOf(text)
  return atom === "uuid" || (atom === "hex" && text.length >= 24)
}

/** No text of a parameter has the sign that ends it. */
const isSeparable = (items: readonly MinedKey[], at: number): boolean =>
  items.every(({ segments }) => {
    const { pieces } = segments[at]!
    const next = (i: number) => pieces[i + 1] || (segments[at + 1]?.sep ?? "")
    return pieces.every((piece, i) => i % 2 === 0 || next(i) === "" || !piece.includes(next(i)[0]!))
  })

/** The same number before everything: a version of the whole, `redis.10.1:` or `app2:`. */
const isOfAll = (items: readonly MinedKey[], at: number, texts: readonly string[]): boolean =>
  at === 0 &&
  items.length >= 20 &&
  texts.every((text) => text === texts[0] && text.length < 4) &&
  items.every(({ segments }) => segments.length > 1)

function pieceParts(items: readonly MinedKey[], at: number, piece: number): PatternPart[] {
  const texts = items.map(({ segments }) => segments[at]!.pieces[piece]!)
  if (isOfAll(items, at, texts)) return [texts[0]!]
  const word = gluedWord(texts)
  return [
    word,
    paramOf(
      texts.map((text) => text.slice(word.length)),
      items[0]!.segments[at]!.template.split(/[{}]/)[piece] as Atom,
    ),
  ]
}

function param(items: readonly MinedKey[], at: number): Param {
  const atoms = new Set(items.map(({ segments }) => segments[at]!.atom))
  const atom = atoms.size === 1 ? [...atoms][0]! : general(atoms)
  const made = paramOf(
    items.map(({ segments }) => segments[at]!.text),
    atom,
  )
  return items[0]!.segments[at]!.kind === "tag" ? { kind: "text", atom: made.atom, tag: true } : made
}

function paramOf(texts: readonly string[], atom: Atom): Param {
  if (texts.every((text) => /^\d{8}$/.test(text)) && texts.every(isCompactDay))
    return { kind: "compactDay", atom: "day" }
  if (texts.every((text) => /^(?:0|-?[1-9]\d{0,14})$/.test(text))) return { kind: "int", atom: "int" }
  return { kind: atom === "day" || atom === "month" ? atom : "text", atom }
}

/** The least that takes all of them. */
function general(atoms: ReadonlySet<Atom>): Atom {
  const only = (...some: Atom[]) => [...atoms].every((atom) => some.includes(atom))
  if (only("int", "digits")) return "digits"
  if (only("int", "digits", "hex", "float")) return "hex"
  if (only("word", "empty")) return "word"
  if (only("int", "digits", "hex", "float", "mixed", "token", "ulid", "uuid")) return "token"
  return only("word", "mixed", "slug", "int", "digits", "hex") ? "slug" : "other"
}

/** The parameters at one position: one for each group that looks, and continues, differently. */
function params(
  atoms: ReadonlyMap<Atom, MinedKey[]>,
  names: readonly MinedKey[],
  at: number,
  before: readonly PatternPart[],
): KeyBranch[] {
  const groups: { items: MinedKey[]; apart: boolean }[] = []
  const all = [
    ...[...atoms].map(([atom, items]) => ({ atom, items })),
    ...(names.length === 0 ? [] : [{ atom: "word" as Atom, items: names }]),
  ]
  for (const { atom, items } of all.sort((a, b) => b.items.length - a.items.length)) {
    const apart = atom === "day" || atom === "month" || (atom === "int" && isConstant(items, at, before))
    const profile = profileOf(items, at)
    const like = apart
      ? undefined
      : groups.find((group) => !group.apart && similar(profileOf(group.items, at), profile))
    if (like) like.items.push(...items)
    else groups.push({ items: [...items], apart })
  }
  return groups.flatMap(({ items }) => {
    if (isConstant(items, at, before)) return [{ parts: [items[0]!.segments[at]!.text], items }]
    if (at > 0 && areKinds(items, at))
      return [...groupBy(items, ({ segments }) => segments[at]!.text)].map(([text, own]) => ({
        parts: [text],
        items: own,
      }))
    return at === 0 ? heads(items) : [{ parts: [param(items, at)], items }]
  })
}

/**
 * Numbers that say what a key is: `app:13:mails` and `app:13:images` are hashes, `app:1:mails` and `app:1:images` are
 * lists. Few numbers, each with one type, and several keys that differ in nothing but the number and the type.
 */
function areKinds(items: readonly MinedKey[], at: number): boolean {
  if (!items.every(({ segments }) => segments[at]!.atom === "int")) return false
  const byNumber = groupBy(items, ({ segments }) => segments[at]!.text)
  if (byNumber.size < 2 || byNumber.size > limits.mostKinds) return false
  const typesByRest = new Map<string, Set<string>>()
  for (const [, own] of byNumber) {
    const types = new Set<string>()
    for (const [way] of profileOf(own, at).ways) {
      const [rest, shape] = [way.slice(0, way.lastIndexOf(" ")), way.slice(way.lastIndexOf(" ") + 1)]
      const type = shape.split(":", 1)[0]!
      types.add(type)
      typesByRest.set(rest, (typesByRest.get(rest) ?? new Set()).add(type))
    }
    if (types.size > 1) return false
  }
  return [...typesByRest.values()].filter(({ size }) => size > 1).length >= limits.leastOfKinds
}

/** At the beginning, a few odd names are literals: a pattern that is nothing but a parameter says nothing. */
function heads(items: readonly MinedKey[]): KeyBranch[] {
  const texts = groupBy(items, ({ segments }) => segments[0]!.text)
  const isPlain = [...texts.keys()].every((text) => !/[{}]/.test(text))
  const { kind, atom } = param(items, 0)
  if (texts.size >= 8 || !isPlain || kind !== "text" || !(atom === "mixed" || atom === "slug" || atom === "other"))
    return [{ parts: [param(items, 0)], items }]
  return [...texts].map(([text, own]) => ({ parts: [text], items: own }))
}

/** A version, not an id: Django's `:1:name` before everything, and Rack's `2::` before a digest. */
const isConstant = (items: readonly MinedKey[], at: number, before: readonly PatternPart[]): boolean => {
  const { text } = items[0]!.segments[at]!
  if (!items.every(({ segments }) => segments[at]!.text === text)) return false
  if (at === 1 && before.length === 0) return items.every(({ segments }) => segments[0]!.text === "")
  return /^\d$/.test(text) && items.length >= 8 && items.every(({ segments }) => segments[at + 1]?.text === "")
}
