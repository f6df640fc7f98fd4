import type { Entity } from "../../schema/entity.ts"
import type { Context } from "../make-client.ts"

export interface EntityClient<R extends object, W, U, I, Name, All, Rel> {
  readonly "~entity"?: [R, W, U, I, Name, All, Rel]
}

export function entityClient(
  _context: Context,
  _entity: Entity,
  _path: string,
  _bound: Readonly<Record<string, unknown>>,
): object {
  return {}
}
