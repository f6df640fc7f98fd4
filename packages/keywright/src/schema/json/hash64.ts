/** FNV-1a with 64 bits, over UTF-16 code units, as 16 hexadecimal digits: quick, short and the same everywhere. */
export function hash64(text: string): string {
  // The 64 bits as four limbs of 16, so that products stay exact; the prime is 2^40 + 0x1b3.
  let [a, b, c, d] = [0x2325, 0x8422, 0x9ce4, 0xcbf2]
  for (let i = 0; i < text.length; i++) {
    a ^= text.charCodeAt(i)
    const low = a * 0x1b3
    const second = b * 0x1b3 + (low >>> 16)
    const third = c * 0x1b3 + (a << 8) + (second >>> 16)
    d = (d * 0x1b3 + (b << 8) + (third >>> 16)) & 0xffff
    a = low & 0xffff
    b = second & 0xffff
    c = third & 0xffff
  }
  return [d, c, b, a].map((limb) => limb.toString(16).padStart(4, "0")).join("")
}
