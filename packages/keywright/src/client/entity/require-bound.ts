import { groupUnbound } from "../../errors/record.ts"
import type { Context } from "../make-client.ts"

/** Throws when an entity is in a scope whose parameters are not bound. */
export function requireBound({ ready }: Context, path: string, bound: Readonly<Record<string, unknown>>): void {
  const params = Object.keys(ready.get(path)!.declared.params)
  const open = params.slice(0, -1).filter((name) => !(name in bound))
  if (open.length > 0) throw groupUnbound(path, open)
}
