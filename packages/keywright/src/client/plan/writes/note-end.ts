/** ZADD of the instant at which a record ends, by the clock of the server: for the sweeper, see entity/expiry.ts. */
export interface NoteEnd {
  readonly write: "note-end"
  readonly key: string
  readonly member: string
  /** In how many milliseconds it ends; or, where `record` keeps its deadline, the time that it has left. */
  readonly ms: number
  readonly record?: string
}
