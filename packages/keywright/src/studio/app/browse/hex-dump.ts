/* Bytes that are not text, as people read them. */

export function bytesOf(base64: string): Uint8Array {
  const binary = atob(base64)
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}

const hex = (byte: number): string => byte.toString(16).padStart(2, "0")

/** `"de ad be ef …"` */
export const hexText = (bytes: Uint8Array, most: number): string =>
  `${[...bytes.subarray(0, most)].map(hex).join(" ")}${bytes.length > most ? " …" : ""}`

const WIDTH = 16

/** Offset, sixteen bytes, and what of them can be read. */
export function hexDump(bytes: Uint8Array, from = 0): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += WIDTH) {
    const row = [...bytes.subarray(at, at + WIDTH)]
    const left = row.slice(0, 8).map(hex).join(" ")
    const right = row.slice(8).map(hex).join(" ")
    const readable = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("")
    lines.push(`${(from + at).toString(16).padStart(8, "0")}  ${left.padEnd(23)}  ${right.padEnd(23)}  ${readable}`)
  }
  return lines.join("\n")
}
