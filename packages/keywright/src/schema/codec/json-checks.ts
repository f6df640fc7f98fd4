/* What a text or a value of JSON is. */

/** The value of a text; undefined where that is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** It has fields: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
