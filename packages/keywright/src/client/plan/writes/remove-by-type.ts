/** SREM or ZREM, whichever the key takes; nothing where it is of another type. */
export interface RemoveByType {
  readonly write: "remove-by-type"
  readonly key: string
  readonly member: string
}
