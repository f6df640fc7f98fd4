/* What a value of JSON is. */

/** It has fields: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
