/* Payloads as DUMP has them, made up: their checksums are right, so that a server would believe them. */

/** CRC-64 (Jones), as Redis ends a payload with. */
function crc64(bytes: Uint8Array): bigint {
  let crc = 0n
  for (const byte of bytes) {
    crc ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ 0x95ac9329ac4bc9b5n : crc >> 1n
  }
  return crc
}

function dumpOf(type: number, body: Uint8Array): Buffer {
  const value = Buffer.concat([Buffer.from([type]), body, Buffer.from([10, 0])])
  const end = Buffer.alloc(8)
  end.writeBigUInt64LE(crc64(value))
  return Buffer.concat([value, end])
}

/** A hash whose listpack says that its first field is longer than the list: a server that reads it crashes. */
export function badHash(): Buffer {
  const entries = Buffer.from([0xbf, 0x61, 0x02, 0x81, 0x62, 0x02])
  const listpack = Buffer.alloc(6 + entries.length + 1)
  listpack.writeUInt32LE(listpack.length, 0)
  listpack.writeUInt16LE(2, 4)
  entries.copy(listpack, 6)
  listpack[listpack.length - 1] = 0xff
  return dumpOf(16, Buffer.concat([Buffer.from([listpack.length]), listpack]))
}

/** A string, whole and right. */
export const goodString = (): Buffer => dumpOf(0, Buffer.from([1, 0x61]))

/** A value of a module that no server of the tests has, without content. */
export const moduleValue = (): Buffer => dumpOf(7, Buffer.from([0x81, 1, 2, 3, 4, 5, 6, 7, 8, 0]))
