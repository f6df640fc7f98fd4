import type { FoundChange } from "./change.ts"
import { without } from "./without.ts"

/** Values that came and went, of a choice in a codec or in a document. */
export function enumChanges(before: readonly unknown[], after: readonly unknown[], path: string): FoundChange[] {
  const textsOf = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value))
  const [olds, news] = [textsOf(before), textsOf(after)]
  return [
    ...without(news, olds).map((what): FoundChange => ({ code: "ENUM.ADDED", path, what })),
    ...without(olds, news).map((what): FoundChange => ({ code: "ENUM.REMOVED", path, what })),
  ]
}
