/* What replies look like in TypeScript. */

import type { Reply } from "../driver/driver.ts"

export const isOne = (reply: Reply): boolean => reply === 1
export const asNumber = (reply: Reply): number => Number(reply)
export const nothing = (): void => {}
export const numberOrNone = (reply: Reply): number | undefined => (reply === null ? undefined : Number(reply))

/** A reply that is a list; null, from a family that is not loaded, is an empty one. */
export const listOf = (reply: Reply): readonly Reply[] => (reply ?? []) as readonly Reply[]

export const textOf = (raw: Reply): string =>
  typeof raw === "string"
    ? raw
    : raw instanceof Uint8Array
      ? Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString()
      : String(raw)
