/* A key whose elements belong to different shards on the other side: its elements are dealt
 * out, each shard's part is compared with what is there and written where they differ, and
 * shards for which nothing is left are emptied. */

import type { Driver, Reply, Wire } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"
import { copyElements } from "../../errors/change.ts"
import type { Key } from "../../schema/key.ts"
import { KeyDigest } from "../copy/digest.ts"
import { digestOnServer } from "../copy/export-page.ts"
import { digestPart, readValueParts, type ValuePart } from "../copy/key-value.ts"
import { LargeKey } from "../copy/large-key.ts"
import type { KeyType } from "../copy/lines.ts"
import { WIDTHS } from "../copy/value-forms.ts"
import { isOver } from "../copy/write-keys.ts"

/** Where the elements of a key are on the other side. */
export interface Split {
  readonly tags: readonly string[]
  tagOf(element: string): string
  /** The key of a shard. */
  keyOf(tag: string): string
  /** Its entry there. */
  readonly row: Key
  /** The key as errors may show it. */
  readonly shown: string
}

/** A key of the source, as it was found. */
export interface SplitSource {
  readonly key: Wire
  readonly type: KeyType
  readonly pexpireat: number | undefined
}

/** Elements that are dealt out together. */
const AT_ONCE = 100_000
/** Shards that are asked at the same time. */
const SHARDS_AT_ONCE = 64

/** Makes the shards what the key is: how many of them were written, and how many emptied. */
export async function copySplit(
  from: Driver,
  to: Driver,
  source: SplitSource,
  split: Split,
  /** A shard that is equal otherwise. */
  hasEndingFields: (to: Driver, key: Wire) => Promise<boolean>,
): Promise<{ written: number; deleted: number }> {
  const wanted = await splitDigests(from, source, split)
  const differing = new Set<string>()
  const emptied: string[] = []
  for (let at = 0; at < split.tags.length; at += SHARDS_AT_ONCE) {
    const tags = split.tags.slice(at, at + SHARDS_AT_ONCE)
    const found = await Promise.all(tags.map((tag) => digestOnServer(to, split.keyOf(tag))))
    for (const [i, tag] of tags.entries()) {
      const digest = wanted.get(tag)
      if (digest === undefined) {
        if (found[i] !== undefined) emptied.push(tag)
      } else if (digest.toString() !== found[i] || (await hasEndingFields(to, split.keyOf(tag)))) differing.add(tag)
    }
  }
  for (const tag of emptied) await to.send(["UNLINK", split.keyOf(tag)], SAFE)
  return {
    written: differing.size === 0 ? 0 : await write(from, to, source, split, differing),
    deleted: emptied.length,
  }
}

/** The digests that the parts have under their names on the other side, by tag; of shards that get something. */
export async function splitDigests(from: Driver, source: SplitSource, split: Split): Promise<Map<string, KeyDigest>> {
  const digests = new Map<string, KeyDigest>()
  for await (const part of readValueParts(from, source.key, source.type))
    for (const [tag, elements] of dealt([part], source, split)) {
      const digest = digests.get(tag) ?? KeyDigest.of(source.type, split.keyOf(tag))
      digests.set(tag, digest)
      digestPart(digest, { type: source.type, elements })
    }
  for (const digest of digests.values()) digest.end(source.pexpireat)
  return digests
}

async function write(
  from: Driver,
  to: Driver,
  source: SplitSource,
  split: Split,
  tags: ReadonlySet<string>,
): Promise<number> {
  const { key, type, pexpireat } = source
  const large = new Map<string, LargeKey>()
  for (const tag of tags) {
    const one = new LargeKey(to, split.keyOf(tag), type)
    await one.drop()
    large.set(tag, one)
  }
  const begun = new Set<string>()
  const flush = async (parts: readonly ValuePart[]): Promise<void> => {
    const shares = [...dealt(parts, source, split)].filter(([tag]) => tags.has(tag))
    await Promise.all(shares.map(([tag, elements]) => large.get(tag)!.add({ type, elements })))
    for (const [tag] of shares) begun.add(tag)
  }
  let waiting: ValuePart[] = []
  let count = 0
  for await (const part of readValueParts(from, key, type)) {
    waiting.push(part)
    count += part.elements.length
    if (count < AT_ONCE) continue
    await flush(waiting)
    waiting = []
    count = 0
  }
  await flush(waiting)
  let written = 0
  for (const tag of begun) {
    if (isOver(pexpireat)) await large.get(tag)!.drop()
    else if (await large.get(tag)!.move("overwrite", pexpireat)) written++
  }
  return written
}

/** Elements by the tags of their shards. */
function dealt(parts: readonly ValuePart[], { type }: SplitSource, { tagOf, row, shown }: Split): Map<string, Reply[]> {
  const width = WIDTHS[type]
  if (width === undefined) throw copyElements(row.name, shown, `it is a ${type} on the server`)
  const shares = new Map<string, Reply[]>()
  for (const { elements } of parts)
    for (let i = 0; i + width <= elements.length; i += width) {
      const name = elements[i]!
      const tag = tagOf(name instanceof Uint8Array ? Buffer.from(name).toString() : String(name))
      const share = shares.get(tag) ?? []
      if (share.length === 0) shares.set(tag, share)
      for (let part = 0; part < width; part++) share.push(elements[i + part]!)
    }
  return shares
}
