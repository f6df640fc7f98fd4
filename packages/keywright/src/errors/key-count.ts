export const keyCount = (keys: number): string => (keys === 1 ? "1 key" : `${keys} keys`)
