/** ZADD of the instant at which a record ends, by the clock of the server: for the sweeper, see entity/expiry.ts. */
export interface NoteEnd {
  readonly write: "note-end"
  readonly key: string
  readonly member: string
  /** In how many milliseconds it ends. With `record`, only used if that key has no TTL. */
  readonly ms: number
  /** The key whose remaining time counts instead. */
  readonly record?: string
}
