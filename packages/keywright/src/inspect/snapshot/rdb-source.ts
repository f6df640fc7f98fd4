/**
 * An RDB file to look at instead of a server.
 * @example
 * const backup: RdbSource = { rdb: "dump.rdb", db: 3 }
 * const { findings } = await audit(shop, backup)
 */
export interface RdbSource {
  /** Its path. */
  readonly rdb: string
  /** The logical database that a schema without databases lives in. Default: 0. */
  readonly db?: number
}
