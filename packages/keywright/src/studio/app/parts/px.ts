/** A length for a style: plain numbers have no unit there. */
export const px = (length: number): string => `${length}px`
