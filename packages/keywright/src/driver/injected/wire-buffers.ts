/* Client libraries know strings and Buffers; a plain Uint8Array would be turned
 * into text by one and refused by the other. */

import type { Command } from "../driver.ts"

export function withBuffers(command: Command): readonly (string | Buffer)[] {
  if (command.every((arg) => typeof arg === "string")) return command
  return command.map((arg) =>
    typeof arg === "string" || Buffer.isBuffer(arg) ? arg : Buffer.from(arg.buffer, arg.byteOffset, arg.byteLength),
  )
}

/** Small slices are copied, so that they do not keep the whole chunk they were read from. */
export function ownBytes(slice: Buffer): Buffer {
  return slice.length < slice.buffer.byteLength / 2 ? Buffer.from(slice) : slice
}

/** An integer reply, from its text; another text is left as it is, and is then not the reply that was expected. */
export function wholeNumber(digits: string): number | bigint | string {
  if (!/^[+-]?\d+$/.test(digits)) return digits
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}
