/* How values are shown: decoded by their codecs, or as Redis has them. */

export const forms = { decoded: "Decoded", raw: "As stored" } as const

export type Form = keyof typeof forms
