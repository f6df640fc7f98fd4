/** An RDB file to look at instead of a server. */
export interface RdbSource {
  /** Its path. */
  readonly rdb: string
  /** The logical database that a schema without databases lives in. Default: 0. */
  readonly db?: number
}
