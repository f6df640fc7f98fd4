/** SREM or ZREM, whichever the key takes; nothing where it is of another type. */
export interface RemoveMember {
  readonly write: "remove-member"
  readonly key: string
  readonly member: string
}
