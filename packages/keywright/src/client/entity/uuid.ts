import { createHash, randomBytes } from "node:crypto"

/** A UUID of version 7: ordered by time, so that ids made later sort later. */
export function uuid(): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  return printed(bytes, 7)
}

/** A UUID derived from a text (version 8), so that a call repeated with its operation id means the same record. */
export const uuidFrom = (text: string): string => printed(createHash("sha1").update(text).digest().subarray(0, 16), 8)

function printed(bytes: Buffer, version: 7 | 8): string {
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
