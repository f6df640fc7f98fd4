/* A value as DUMP serializes it, looked into before it is given to RESTORE: a server
 * trusts what it restores, and a value that contradicts itself can crash it. */

import { type RdbRecord, readRdb } from "../../inspect/rdb/index.ts"
import { isKeywrightError } from "../../errors/error.ts"

/** Behind the value: the version of the format, and a checksum that RESTORE compares. */
const FOOTER = 10
const FIRST_VALKEY = 80

/** Its type and, if it is a string, its value; undefined when it is not exactly one whole value. */
export async function readDump(
  dump: Uint8Array,
): Promise<{ readonly type: RdbRecord["type"]; readonly text: Uint8Array | undefined } | undefined> {
  if (dump.length <= FOOTER) return undefined
  const bytes = Buffer.from(dump.buffer, dump.byteOffset, dump.byteLength)
  const version = bytes.readUInt16LE(bytes.length - FOOTER)
  const head = version >= FIRST_VALKEY ? `VALKEY${String(version).padStart(3, "0")}` : "REDIS0011"
  const found: { type: RdbRecord["type"]; text: Uint8Array | undefined }[] = []
  try {
    const reader = readRdb(asFile(head, bytes.subarray(0, 1), bytes.subarray(1, -FOOTER)), {
      values: "full",
      streams: true,
      anyVersion: true,
    })
    for await (const batch of reader)
      for (const { type, value } of batch) found.push({ type, text: type === "string" ? value : undefined })
  } catch (error) {
    if (isKeywrightError(error)) return undefined
    throw error
  }
  return found.length === 1 ? found[0] : undefined
}

/** A file with one key, `k`, and no checksum. */
async function* asFile(head: string, type: Buffer, value: Buffer): AsyncGenerator<Buffer> {
  yield Buffer.concat([Buffer.from(head), type, Buffer.from([1, 0x6b]), value, Buffer.from([255]), Buffer.alloc(8)])
}
