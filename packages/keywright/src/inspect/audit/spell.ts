/* Keys spelled from texts that are already encoded. */

import type { RowModel } from "./model.ts"
import type { Texts } from "./entity-model.ts"

/** The key with these parameters, whatever they are. */
export const spell = ({ row }: RowModel, texts: Texts): string =>
  row.pattern.includes("{") ? row.pattern.replace(/\{(\w+)\}/g, (_, name: string) => texts[name] ?? "") : row.pattern

/** The key with these parameters; undefined when it would not be read back as such. */
export function spellSafely(model: RowModel, texts: Texts): string | undefined {
  const key = spell(model, texts)
  if (model.params.every((name) => PLAIN.test(texts[name] ?? ""))) return key
  const found = model.declared.format.locate(key)
  return found && model.params.every((name) => found[name] === texts[name]) ? key : undefined
}

const PLAIN = /^[A-Za-z0-9@.]+$/
