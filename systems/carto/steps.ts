/* The atomic steps: each is a script in steps/, whose header says more. A step knows one
 * database only; what concerns several is put together in services/, in an order that
 * can be taken up again. */

import { arrayOf, compactDay, flag, float, int, oneOf, step, text } from "keywright"
import { luaBeside } from "../platform/lua.ts"
import { databaseName, userId } from "./ids.ts"

const lua = luaBeside(import.meta.url)

/** All that db 5 has of a user, and of the one that he is to become. */
const pairs = ["users.user[]", "users.mapViews[]", "users.apiCallsAt[]", "users.mapViewsOf[]"] as const

export const steps = {
  createUser: step({
    script: lua("create-user"),
    keys: ["users.user"],
    args: { id: userId, database: databaseName, mapKey: text },
    returns: flag,
    doc: "Writes a user's record, unless there is one.",
  }),
  restoreUser: step({
    script: lua("restore-user"),
    keys: ["users.user"],
    args: { id: userId, database: databaseName, mapKey: text, lastActive: text },
    doc: "Writes what the catalogue knows of a user, and leaves the rest.",
  }),
  setOfUser: step({
    script: lua("set-of-user"),
    keys: ["users.user"],
    args: { field: oneOf("database_name", "map_key", "last_active_time"), value: text },
    returns: flag,
    doc: "Changes one field of a user's record, if there is one.",
  }),
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
    doc: "Moves map views that were left behind under a name that nobody has any more.",
  }),
  deleteUser: step({
    script: lua("delete-user"),
    keys: ["users.user", "users.mapViews", "users.apiCallsAt", "users.mapViewsOf[]"],
    args: { id: text },
    returns: flag,
    doc: "Removes a user's record, with his map views.",
  }),
  dropViews: step({
    script: lua("drop-views"),
    keys: ["users.user", "users.mapViews", "users.mapViewsOf[]"],
    returns: int,
    doc: "Removes map views of a name that nobody has any more.",
  }),
  view: step({
    script: lua("view"),
    keys: ["users.user", "users.mapViews", "users.mapViewsOf[]"],
    args: { day: compactDay, mayBeNew: flag },
    returns: int,
    doc: "Counts a map view of a user, and of a visualization.",
  }),
  storeApiCalls: step({
    script: lua("store-api-calls"),
    keys: ["users.user", "users.mapViews", "users.apiCallsAt"],
    args: { now: float, every: int, force: flag, days: arrayOf(compactDay) },
    returns: int,
    doc: "Writes api_calls of a user from his map views, if they are old.",
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
}
