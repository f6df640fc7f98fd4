/* Formats without a mark at the beginning, known by reading them to the end: a value is
 * MessagePack or Protocol Buffers when all of its bytes are. */

export function wireFormat(bytes: Uint8Array): "messagePack" | "bson" | "protobuf" | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length >= 5 && view.getInt32(0, true) === bytes.length && bytes.at(-1) === 0) return "bson"
  if (isContainer(bytes[0]!) && packed(view, 0, 0) === bytes.length) return "messagePack"
  return isProtobuf(bytes) ? "protobuf" : undefined
}

/** A map or an array: whatever begins otherwise may be anything. */
const isContainer = (byte: number): boolean => (byte > 0x80 && byte < 0xa0) || (byte >= 0xdc && byte <= 0xdf)

const DEEPEST = 32
/** Bytes after the first one, which is 0xca to 0xd8: of floats, whole numbers, and extensions of a fixed size. */
const FIXED = [4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17]

/** Where the MessagePack value that begins here ends; NaN if it is not one. */
function packed(view: DataView, at: number, depth: number): number {
  if (at >= view.byteLength || depth > DEEPEST) return NaN
  const byte = view.getUint8(at)
  if (byte < 0x80 || byte >= 0xe0) return at + 1
  if (byte < 0x90) return items(view, at + 1, 2 * (byte & 15), depth)
  if (byte < 0xa0) return items(view, at + 1, byte & 15, depth)
  if (byte < 0xc0) return at + 1 + (byte & 31)
  if (byte === 0xc0 || byte === 0xc2 || byte === 0xc3) return at + 1
  const fixed = FIXED[byte - 0xca]
  if (fixed !== undefined) return at + 1 + fixed
  const width =
    byte >= 0xdc ? 2 << ((byte - 0xdc) & 1) : 1 << ((byte - (byte < 0xc7 ? 0xc4 : byte < 0xd9 ? 0xc7 : 0xd9)) & 3)
  const next = at + 1 + width
  if (byte === 0xc1 || next > view.byteLength) return NaN
  const size = width === 1 ? view.getUint8(at + 1) : width === 2 ? view.getUint16(at + 1) : view.getUint32(at + 1)
  if (byte >= 0xdc) return items(view, next, byte >= 0xde ? 2 * size : size, depth)
  return next + size + (byte >= 0xc7 && byte <= 0xc9 ? 1 : 0)
}

function items(view: DataView, at: number, count: number, depth: number): number {
  let end = at
  for (let i = 0; i < count && end <= view.byteLength; i++) end = packed(view, end, depth + 1)
  return end
}

const MOST_FIELDS = 64

/** Several fields with small numbers, one after another to the end. */
function isProtobuf(bytes: Uint8Array): boolean {
  let [at, fields] = [0, 0]
  const number = (): number => {
    let value = 0
    for (let shift = 0; shift < 63; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined) return NaN
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
    return NaN
  }
  while (at < bytes.length) {
    const tag = number()
    const [field, type] = [Math.floor(tag / 8), tag % 8]
    if (!(field >= 1 && field <= MOST_FIELDS)) return false
    const size = type === 0 || type === 2 ? number() : type === 1 ? 8 : type === 5 ? 4 : NaN
    if (type !== 0) at += size
    if (!(size >= 0 && at <= bytes.length)) return false
    fields++
  }
  return fields >= 2 && bytes.length >= 6
}
