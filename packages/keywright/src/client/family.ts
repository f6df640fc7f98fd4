import type { Group } from "../schema/group.ts"
import type { Context } from "./make-client.ts"

export interface FamilyMethods<G> {
  readonly "~family"?: G
}

export function familyMethods(
  _context: Context,
  _group: Group<string, object>,
  _path: string,
  _bound: Readonly<Record<string, unknown>>,
): object {
  return {}
}
