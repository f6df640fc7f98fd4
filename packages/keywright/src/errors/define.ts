/* What can be wrong with a definition. */

import { shown } from "./codec.ts"
import { SchemaError } from "./error.ts"

export const durationRefused = (found: unknown) =>
  new SchemaError("DEFINE.DURATION", `${shown(found)} is not a duration`, {
    fix: 'Write a number and a unit, for example "10m" or "7d".',
  })

export const durationTooLong = (found: string, longest: string) =>
  new SchemaError("DEFINE.DURATION", `${shown(found)} is longer than ${longest}`, {
    why: "The toolkit's own notes on a server are not kept for longer.",
    fix: `Use a duration up to "${longest}".`,
  })

export const definitionRefused = (pattern: unknown, why: string) =>
  new SchemaError("DEFINE.REFUSED", `"${pattern}": ${why}`)

export const paramWithoutPlace = (pattern: string, param: string) =>
  new SchemaError("DEFINE.UNKNOWN_PARAM", `"${pattern}" has no {${param}}`, {
    pattern,
    fix: "Correct the name in params.",
  })

export const familyDeadline = (path: string, family: string) =>
  new SchemaError("DEFINE.FAMILY", `${path} states a ttl, but lives in the family ${family}`, {
    why: "The keys of a family live and die together: they have one deadline.",
    fix: "Leave out the ttl, or move it out of the family.",
  })

export const familyMarker = (prefix: string, marker: string) =>
  new SchemaError("DEFINE.FAMILY", `the family "${prefix}" has the marker ${marker}, which is not one of its keys`, {
    fix: "Name one of its entries: the one that is always there when the family is loaded.",
  })

export const databaseRefused = (name: string, why: string) =>
  new SchemaError("DEFINE.DATABASE", `database "${name}" cannot be declared: ${why}`, {
    fix: "Databases are numbered from 0, and are declared at the top of the keyspace.",
  })

export const shardedRefused = (by: string, why: string) =>
  new SchemaError("DEFINE.SHARDED", `a group cannot be sharded by ${JSON.stringify(by)}: ${why}`, {
    fix: 'For example sharded(1024, "token", { … }); 0 shards, the default of most settings, prints the plain names.',
  })

export const drainRefused = (name: string, from: string, into: string, why: string) =>
  new SchemaError("DEFINE.DRAIN", `the drain ${name} cannot move ${from} into ${into}: ${why}`, {
    fix: "Both are a sorted set, a map of numbers or a counter, with the same members or fields; the first in a sharded group.",
  })

export const checksumRefused = (by: string, found: unknown) =>
  new SchemaError("CODEC.CHECKSUM", `${shown(found)} is not a checksum: {${by}} decides on a shard`, {
    fix: 'It has four hexadecimal digits: checksum("456", "789", "u1").',
  })

export const shardUnknown = (tag: unknown, shards: number) =>
  new SchemaError("CODEC.SHARD", `${shown(tag)} is not the tag of one of ${shards} shards`, {
    fix: "Leave {shard} out: it follows from the parameter that the group is sharded by.",
  })
