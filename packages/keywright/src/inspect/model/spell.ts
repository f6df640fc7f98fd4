/* Keys spelled from texts that are already encoded. */

import type { KeyModel } from "./model.ts"
import type { ParamTexts } from "./entity-model.ts"

/** The key with these parameters, whatever they are. Its shard is that of its own parameters, where they decide. */
export function spell({ parts, declared }: KeyModel, texts: ParamTexts): string {
  const shard = declared.params["shard"]?.shard?.tagOfTexts(texts) ?? texts["shard"]
  let key = parts[0]!
  for (let i = 1; i < parts.length; i += 2) {
    const name = parts[i]!
    key += ((name === "shard" ? shard : texts[name]) ?? "") + parts[i + 1]!
  }
  return key
}

/** The key that follows from these parameters; undefined when they do not decide it. */
export const spellDecided = (row: KeyModel, texts: ParamTexts): string | undefined =>
  row.params.every((name) => name in texts || row.declared.params[name]!.shard?.tagOfTexts(texts) !== undefined)
    ? spell(row, texts)
    : undefined

/** The key with these parameters; undefined when it would not be read back as such. */
export function spellSafely(row: KeyModel, texts: ParamTexts): string | undefined {
  const key = spell(row, texts)
  if (row.params.every((name) => PLAIN.test(texts[name] ?? ""))) return key
  const found = row.format.locate(key)
  return found && row.params.every((name) => found[name] === texts[name]) ? key : undefined
}

const PLAIN = /^[A-Za-z0-9@.]+$/
