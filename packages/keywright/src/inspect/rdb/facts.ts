/** What an RDB file says about itself. It fills up while the file is read. */
export interface RdbFacts {
  magic: "REDIS" | "VALKEY"
  /** Version of the format: 9 (Redis 5) to 12 (Redis 7.4 and 8), 80 (Valkey 9). */
  version: number
  /** What the server noted: "redis-ver" or "valkey-ver", "ctime", "used-mem", "redis-bits" … */
  readonly aux: Record<string, string>
  /** Per database, how many keys and how many with an expiry the server announced. */
  readonly databases: Map<number, { readonly keys: number; readonly expires: number }>
  /** Number of function libraries, which are passed over. */
  functions: number
  /** Names of the modules' types that saved their own data, which is skipped. */
  readonly modules: string[]
  /** Keys read so far. */
  keys: number
  /** Set at the end: "verified", "absent" (the server wrote none), or "ignored". */
  checksum: "verified" | "absent" | "ignored" | undefined
  /** Bytes read so far. */
  bytes: number
}

export function emptyFacts(): RdbFacts {
  return {
    magic: "REDIS",
    version: 0,
    aux: Object.create(null) as Record<string, string>,
    databases: new Map(),
    functions: 0,
    modules: [],
    keys: 0,
    checksum: undefined,
    bytes: 0,
  }
}
