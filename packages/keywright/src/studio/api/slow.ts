/* The slow log, by pattern: what takes the server's time, and where. */

export interface SlowCalls {
  "GET /api/systems/:system/slow": { readonly answer: SlowCommands }
}

export interface SlowCommands {
  readonly system: string
  /** The most time first. */
  readonly rows: readonly SlowPattern[]
  /** How many entries the server remembers, of all systems and clients. */
  readonly entries: number
  readonly since: string | undefined
}

export interface SlowPattern {
  /** `"hgetall"` */
  readonly command: string
  /** The pattern of its first key; absent for commands without a key, and for keys that no pattern owns. */
  readonly pattern?: string
  /** The name of the pattern, for a link. */
  readonly name?: string
  readonly count: number
  readonly totalMicros: number
  readonly longestMicros: number
  readonly lastAt: string
}
