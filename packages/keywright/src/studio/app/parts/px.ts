/** A length for a style: numbers there have no unit of their own. */
export const px = (length: number): string => `${length}px`
