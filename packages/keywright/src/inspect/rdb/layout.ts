/* A small language for the layout of a value in the file, so that one table (kinds.ts)
 * describes every type and one loop (value-reader.ts) reads them all, able to stop after
 * any word and continue later. */

/** A string, in any encoding. */
export const STRING = 0
/** A number in the encoding of lengths. */
export const LENGTH = 1
/** The same, where it is the number of elements of the value. */
export const SIZE = 2
/** A 64-bit time in milliseconds. */
export const MILLIS = 3
/** A binary score. */
export const DOUBLE = 4
/** A score as text, with one byte for its length. */
export const SCORE = 5
/** A stream id of 16 bytes. */
export const ID = 6
/** How the next node of a quicklist is stored: 1 a plain string, 2 a listpack. */
export const CONTAINER = 7
/** The 64-bit id of a module's type. */
export const MODULE_ID = 8
/** What a module saved: opcodes and their operands until an end mark. */
export const MODULE = 9
/** One of the two numbers of a stream id in the encoding of lengths, of which no bit may be lost. */
export const ID_PART = 14

/* These are made by `compile`: the beginning of a loop, the same where the
 * number of rounds is the number of elements, its end, and the end of all. */
export const EACH = 10
export const ITEMS = 11
export const NEXT = 12
export const DONE = 13

/** A count, and the words that follow as many times. */
export interface Loop {
  readonly word: typeof EACH | typeof ITEMS
  readonly body: readonly LayoutWord[]
}

export type LayoutWord = number | Loop

/** A count and that many times `body`. */
export function each(...body: LayoutWord[]): Loop {
  return { word: EACH, body }
}

/** The same, where each round is one element of the value. */
export function items(...body: LayoutWord[]): Loop {
  return { word: ITEMS, body }
}

/** A layout as one flat list of words; `jumps` leads from a loop's beginning to its end and back. */
export interface Program {
  readonly words: Uint8Array
  readonly jumps: Uint8Array
}

/** How deep loops may be nested. */
export const DEPTH = 4

export function compile(layout: readonly LayoutWord[]): Program {
  const words: number[] = []
  const jumps: number[] = []
  const emit = (word: LayoutWord): void => {
    if (typeof word === "number") {
      words.push(word)
      return
    }
    const start = words.push(word.word) - 1
    for (const inner of word.body) emit(inner)
    const end = words.push(NEXT) - 1
    jumps[start] = end
    jumps[end] = start
  }
  for (const word of layout) emit(word)
  words.push(DONE)
  return { words: Uint8Array.from(words), jumps: Uint8Array.from(words, (_, index) => jumps[index] ?? 0) }
}
