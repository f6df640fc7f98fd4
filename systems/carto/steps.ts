/* The atomic steps: each is a script in steps/, whose header says more. A step knows one
 * database only; what concerns several is put together in services/, in an order that
 * can be taken up again. */

import {
  arrayOf,
  bytes,
  compactDay,
  flag,
  float,
  int,
  maybe,
  oneOf,
  replicated,
  secret,
  step,
  text,
  tupleOf,
} from "keywright"
import { luaBeside } from "../platform/lua.ts"
import { onlyIf } from "../platform/only-if.ts"
import { databaseName, userId } from "./ids.ts"

const lua = luaBeside(import.meta.url)

/** On a cluster a user is renamed by several steps (services/moving.ts): what changes them waits until then. */
const unlessMoving = (isCluster: boolean, name: string): URL | string =>
  isCluster ? lua.with([], "unless-moving") + lua.with([], name) : lua(name)
const withMark = (isCluster: boolean) => (isCluster ? (["users.moving"] as const) : [])

const mapKey = secret(text)

/** What a user has besides the record. */
const OF_USER = ["users.apiCallsAt", "users.mapViews", "users.mapViewsOf[]"] as const
/** All that db 5 has of a user, and under the name that they will have. */
const pairs = ["users.user[]", "users.mapViews[]", "users.apiCallsAt[]", "users.mapViewsOf[]"] as const

/** The durability of the steps of a rename on a cluster. */
const durable = (replicas: number) => (replicas === 0 ? ("fast" as const) : replicated(replicas))

export const stepsIn = (isCluster: boolean, moveReplicas: number) => ({
  createUser: step({
    script: lua("create-user"),
    keys: ["users.user"],
    args: { id: userId, database: databaseName, mapKey },
    returns: flag,
    doc: "Writes a user's record, unless there is one.",
  }),
  restoreUser: step({
    script: lua("restore-user"),
    keys: ["users.user"],
    args: { id: userId, database: databaseName, mapKey, lastActive: text },
    doc: "Writes what the catalogue knows about a user, and leaves the rest unchanged.",
  }),
  setOfUser: step({
    script: unlessMoving(isCluster, "set-of-user"),
    keys: ["users.user", ...withMark(isCluster)],
    args: { field: oneOf("database_name", "map_key", "last_active_time"), value: secret(text) },
    returns: flag,
    doc: "Changes one field of a user's record, if there is one.",
  }),
  ...onlyIf(!isCluster, {
    renameUser: step({
      script: lua("rename-user"),
      keys: pairs,
      args: { id: userId },
      returns: int,
      doc: "Moves a user's record and map views to another name, all or nothing.",
    }),
    moveViews: step({
      script: lua("move-views"),
      keys: ["users.user[]", "users.mapViewsOf[]"],
      doc: "Moves map views that were left behind under a name that nobody has now.",
    }),
  }),
  ...onlyIf(isCluster, {
    beginMove: step({
      script: lua("begin-move"),
      keys: ["users.user", "users.moving"],
      args: { id: userId, to: text },
      returns: flag,
      durability: durable(moveReplicas),
      doc: "Marks a user who is to be renamed: from here on, none of their keys change.",
    }),
    packUser: step({
      script: lua("pack-user"),
      keys: ["users.user", "users.moving", ...OF_USER],
      args: { id: userId, to: text },
      returns: maybe(tupleOf(int, arrayOf(maybe(bytes)))),
      doc: "All keys of a marked user.",
    }),
    unpackUser: step({
      script: lua("unpack-user"),
      keys: ["users.user", ...OF_USER],
      args: { id: userId, packed: arrayOf(secret(bytes)), freshFor: int },
      returns: int,
      durability: durable(moveReplicas),
      doc: "Writes all keys of a user under another name, all or nothing.",
    }),
    endMove: step({
      script: lua("end-move"),
      keys: ["users.user", "users.moving", ...OF_USER],
      args: { id: userId, to: text, isMoved: flag },
      returns: flag,
      durability: durable(moveReplicas),
      doc: "Removes a marked user who has another name now, or removes the mark.",
    }),
  }),
  deleteUser: step({
    script: lua("delete-user"),
    keys: ["users.user", "users.mapViews", "users.apiCallsAt", "users.mapViewsOf[]", ...withMark(isCluster)],
    args: { id: text },
    returns: flag,
    doc: "Removes a user's record and map views.",
  }),
  dropViews: step({
    script: lua("drop-views"),
    keys: ["users.user", "users.mapViews", "users.mapViewsOf[]"],
    returns: int,
    doc: "Removes map views of a name that nobody has now.",
  }),
  view: step({
    script: unlessMoving(isCluster, "view"),
    keys: ["users.user", "users.mapViews", "users.mapViewsOf[]", ...withMark(isCluster)],
    args: { day: compactDay, mayBeNew: flag },
    returns: int,
    doc: "Counts a map view of a user, and of a visualization.",
  }),
  storeApiCalls: step({
    script: unlessMoving(isCluster, "store-api-calls"),
    keys: ["users.user", "users.mapViews", "users.apiCallsAt", ...withMark(isCluster)],
    args: { now: float, every: int, force: flag, days: arrayOf(compactDay) },
    returns: int,
    doc: "Writes api_calls of a user from their map views, if it is old.",
  }),
  writeTable: step({
    script: lua("write-table"),
    keys: ["tables.table"],
    args: { mustExist: flag, only: text, fields: arrayOf(text) },
    returns: int,
    doc: "Writes fields of a table's metadata.",
  }),
  renameTable: step({
    script: lua("rename-table"),
    keys: ["tables.table[]"],
    args: { only: text },
    returns: int,
    doc: "Moves a table's metadata to another name.",
  }),
  deleteTable: step({
    script: lua("delete-table"),
    keys: ["tables.table"],
    args: { only: text },
    returns: int,
    doc: "Removes a table's metadata.",
  }),
  record: step({
    script: lua("record"),
    keys: [
      "threshold.total",
      "threshold.perDay",
      "threshold.perMonth",
      "threshold.timePerMonth",
      "threshold.timePerDay",
      "threshold.verbPerMonth[]",
    ],
    args: { queries: int, seconds: text, counts: arrayOf(int) },
    doc: "Counts queries of a user, by day, month and kind, and the time they took.",
  }),
})
