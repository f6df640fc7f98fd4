import { drain, type Drain } from "../drain.ts"
import { readDurability } from "./entity-from-json.ts"
import * as read from "./read.ts"
import type { AtPath } from "./read.ts"

export function readDrain(at: AtPath): Drain {
  const from = read.fields(at, ["from", "into", "durability", "doc"])
  const notes = read.present(from, { durability: readDurability, doc: read.text })
  return drain({ from: read.text(read.need(from, "from", at)), into: read.text(read.need(from, "into", at)), ...notes })
}
