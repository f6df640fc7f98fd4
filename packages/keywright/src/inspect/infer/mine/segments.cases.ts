/* Segments as keys have them: each made from a number, so that they can be made again. */

/** Digits without an order, the same for the same number. */
export function hex(n: number, length: number): string {
  let [text, state] = ["", (n + 1) * 2654435761]
  while (text.length < length) {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0
    text += state.toString(16).padStart(8, "0")
  }
  return text.slice(0, length)
}
export const uuid = (n: number): string => {
  const h = hex(n, 32)
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-8${h.slice(17, 20)}-${h.slice(20)}`
}
export const token = (n: number): string => Buffer.from(hex(n, 48), "hex").toString("base64url")
export const two = (n: number): string => String(n).padStart(2, "0")
export const NAMES =
  "alice bob carol dave erin frank grace heidi ivan judy mallory niaj olivia peggy rupert sybil trent ursula victor walter".split(
    " ",
  )
export const name = (n: number): string => NAMES[n % NAMES.length]!
