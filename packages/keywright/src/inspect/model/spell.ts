/* Keys spelled from texts that are already encoded. */

import type { KeyModel } from "./model.ts"
import type { ParamTexts } from "./entity-model.ts"

/** The key with these parameters, whatever they are. */
export function spell({ parts }: KeyModel, texts: ParamTexts): string {
  let key = parts[0]!
  for (let i = 1; i < parts.length; i += 2) key += (texts[parts[i]!] ?? "") + parts[i + 1]!
  return key
}

/** The key with these parameters; undefined when it would not be read back as such. */
export function spellSafely(model: KeyModel, texts: ParamTexts): string | undefined {
  const key = spell(model, texts)
  if (model.params.every((name) => PLAIN.test(texts[name] ?? ""))) return key
  const found = model.format.locate(key)
  return found && model.params.every((name) => found[name] === texts[name]) ? key : undefined
}

const PLAIN = /^[A-Za-z0-9@.]+$/
