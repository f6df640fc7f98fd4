/* Colours that a test can read: `red(error)`; and none at all. */

import type { Paint } from "./paint.ts"

const paintBy = (by: (name: string) => (text: string) => string): Paint => ({
  bold: by("bold"),
  dim: by("dim"),
  red: by("red"),
  yellow: by("yellow"),
  green: by("green"),
  cyan: by("cyan"),
})

export const plain = paintBy(() => (text) => text)
export const named = paintBy((name) => (text) => `${name}(${text})`)
