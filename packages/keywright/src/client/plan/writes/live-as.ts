/** PEXPIRE: the key lives as long as a record has left. */
export interface LiveAs {
  readonly write: "live-as"
  readonly key: string
  readonly record: string
}
