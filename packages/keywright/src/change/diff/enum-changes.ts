import type { FoundChange } from "./change.ts"

/** Values that came and went, of a choice in a codec or in a document. */
export function enumChanges(before: readonly unknown[], after: readonly unknown[], path: string): FoundChange[] {
  const text = (value: unknown) => JSON.stringify(value)
  const [olds, news] = [new Set(before.map(text)), new Set(after.map(text))]
  return [
    ...[...news].filter((value) => !olds.has(value)).map((what): FoundChange => ({ code: "ENUM.ADDED", path, what })),
    ...[...olds].filter((value) => !news.has(value)).map((what): FoundChange => ({ code: "ENUM.REMOVED", path, what })),
  ]
}
