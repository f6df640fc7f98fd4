/* One value as the page shows it: decoded by its codec, as it is stored, and what it
 * leads to. What is secret is left out here, and nowhere later. */

import { isObject } from "../../schema/codec/json-checks.ts"
import type { Reply, Wire } from "../../driver/driver.ts"
import { isKeywrightError } from "../../errors/error.ts"
import { decode, decodedOrNone } from "../../inspect/model/decoding.ts"
import { hidingSecrets } from "../../inspect/model/hidden-fields.ts"
import type { KeyModel } from "../../inspect/model/model.ts"
import { asWire, isText } from "../../inspect/walk/wire.ts"
import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import { mayHold } from "../../schema/hidden-secrets.ts"
import type { Cell, Raw } from "../api.ts"
import type { OwnedKey } from "../../inspect/model/owning-patterns.ts"
import type { OpenSystem } from "./open-system.ts"
import { linkOf } from "./id-links.ts"
import { SECRET, shown } from "./shown.ts"

/** How values of a key are looked at. */
export interface CellView {
  readonly system: OpenSystem
  readonly db: number
  readonly owner: OwnedKey | undefined
  /** Secrets are shown: somebody asked for them deliberately. */
  readonly reveal: boolean
}

/** Elements are cut there; a whole string later. */
const ELEMENT_CHARS = 4096
const STRING_CHARS = 65_536

/** Nothing of it may be shown: no pattern owns it, it is the toolkit's own, or the schema says so. */
export const hidesAll = ({ owner, reveal }: CellView): boolean =>
  !reveal && (owner === undefined || owner.row.secret === true)

/** A value that the codec reads. Without a codec, only as it is stored. */
export function cellOf(look: CellView, codec: AnyCodec | undefined, reply: Reply, most = ELEMENT_CHARS): Cell {
  const raw = asWire(reply)
  const name = codec === undefined ? {} : { codec: codec.name }
  if (hidesAll(look) || (!look.reveal && isSecret(look, codec))) return { ...name, decoded: SECRET, secret: true }
  const stored = { raw: rawOf(raw, most) }
  if (codec === undefined) return stored
  try {
    const value = decode(codec, raw)
    const link = linkOf(look, codec, raw, value)
    return { ...name, ...stored, decoded: shown(value), ...(link && { link }) }
  } catch (error) {
    if (!isKeywrightError(error)) throw error
    return { ...name, ...stored, error: error.message }
  }
}

/** A value that no codec reads may be anything that its pattern holds. */
const isSecret = ({ system, owner }: CellView, codec: AnyCodec | undefined): boolean =>
  codec === undefined ? system.hides(owner) : codec.secret === true

/** A document: fields that are secret are hidden, and with them how it is stored. `open` is what may be shown of `value`. */
export function documentCell(
  look: CellView,
  codec: AnyCodec,
  reply: Reply,
  secret: ReadonlySet<string>,
): Cell & { value?: unknown; open?: unknown } {
  const whole = cellOf(look, codec, reply, STRING_CHARS)
  if (whole.secret) return whole
  const value = decodedOrNone(codec, asWire(reply))
  if (look.reveal || secret.size === 0) return { ...whole, ...(value !== undefined && { value, open: value }) }
  if (!hasFields(value)) return { codec: codec.name, decoded: SECRET, secret: true }
  const open = hidingSecrets(codec, asWire(reply), value, (name) => secret.has(name), SECRET)
  return open === value
    ? { ...asRead(codec, whole), value, open }
    : { codec: codec.name, decoded: shown(open), secret: true, value, open }
}

/** A field of a hash, or a part of an element, which may be a document. */
export function fieldCell(
  look: CellView,
  codec: AnyCodec | undefined,
  reply: Reply,
  secret: ReadonlySet<string>,
): Cell {
  const cell = cellOf(look, codec, reply)
  if (codec === undefined || look.reveal || secret.size === 0 || cell.secret) return cell
  // A document that cannot be read may hold them anywhere.
  if (cell.error !== undefined)
    return mayHold(codec.spec, [...secret]) ? { codec: codec.name, decoded: SECRET, secret: true } : cell
  const value = decode(codec, asWire(reply))
  const open = hidingSecrets(codec, asWire(reply), value, (name) => secret.has(name), SECRET)
  return open === value ? asRead(codec, cell) : { codec: codec.name, decoded: shown(open), secret: true }
}

/** If a document has a name twice, the codec has read one of the two, and the stored text has both. */
function asRead(codec: AnyCodec, { raw, ...rest }: Cell): Cell {
  return raw === undefined || mayHold(codec.spec, []) ? rest : { raw, ...rest }
}

export const hasFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !(value instanceof Uint8Array)

export function rawOf(raw: Wire, most: number): Raw {
  if (!isText(raw)) {
    const some = raw.subarray(0, most)
    return { base64: Buffer.from(some).toString("base64"), bytes: raw.length, cut: some.length < raw.length }
  }
  return { text: raw.slice(0, most), bytes: Buffer.byteLength(raw), cut: raw.length > most }
}

/** The fields of a record that may not be shown: declared so, and those that are a secret part of its key. */
export function secretFieldsOf(system: OpenSystem, row: KeyModel): ReadonlySet<string> {
  const codecs = Object.entries((row.declared.shape["fields"] ?? {}) as CodecFields)
  const declared = codecs.flatMap(([name, codec]) => (codec.secret ? [name] : []))
  return new Set([...declared, ...(row.secret === true ? [] : row.secret), ...system.secretParams(row)])
}
