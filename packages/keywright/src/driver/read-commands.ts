/* Commands that only read, and that a replica can answer. Not among them: cursors (HSCAN and the
 * like), which mean something only to the node that gave them, and commands that wait. */

import type { Command, Wire } from "./driver.ts"

const NAMES =
  "BITCOUNT BITFIELD_RO BITPOS EXISTS EXPIRETIME GEODIST GEOHASH GEOPOS GEOSEARCH GET GETBIT GETRANGE HEXISTS HGET " +
  "HGETALL HKEYS HLEN HMGET HRANDFIELD HSTRLEN HVALS LCS LINDEX LLEN LPOS LRANGE MGET PEXPIRETIME PTTL SCARD SDIFF " +
  "SINTER SINTERCARD SISMEMBER SMEMBERS SMISMEMBER SORT_RO SRANDMEMBER STRLEN SUNION TTL TYPE XLEN XRANGE XREVRANGE " +
  "ZCARD ZCOUNT ZDIFF ZINTER ZINTERCARD ZLEXCOUNT ZMSCORE ZRANDMEMBER ZRANGE ZRANGEBYLEX ZRANGEBYSCORE ZRANK " +
  "ZREVRANGE ZREVRANGEBYLEX ZREVRANGEBYSCORE ZREVRANK ZSCORE ZUNION"

const READS: ReadonlySet<Wire | undefined> = new Set(NAMES.split(" ").flatMap((name) => [name, name.toLowerCase()]))

export const isReadCommand = (command: Command): boolean => READS.has(command[0])
