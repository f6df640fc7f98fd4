/* What can go wrong while data is changed, exported or imported. */

import { KeywrightError, SchemaError } from "./error.ts"
import { nodeDetails, reasonOf } from "./failed-at.ts"
import { keyCount } from "./key-count.ts"

export const planRefused = (why: string): SchemaError =>
  new SchemaError("CHANGE.PLAN", `this is not a plan that can be carried out: ${why}`, {
    why: "A plan holds only the changes that repair and purge make, on keys that the schema owns.",
    fix: "Make a new plan with keywright repair or keywright purge, on the same server and schema.",
  })

export const planTooLarge = (path: string, most: number): KeywrightError =>
  new KeywrightError(
    "CHANGE.PLAN_TOO_LARGE",
    `the plan is not saved to ${path}: it would have more than ${most} bytes`,
    {
      why: "It holds every value that its undo restores. Nobody could read it again, so nothing is carried out.",
      fix: "Take fewer keys at once (--match), or delete the largest of them yourself; purge without --keep-undo holds no values.",
    },
  )

export const planOfOtherSchema = (fingerprint: string): SchemaError =>
  new SchemaError("CHANGE.OTHER_SCHEMA", `this plan was made for another schema (${fingerprint.slice(0, 80)})`, {
    why: "What repairs data under one schema may damage it under another.",
    fix: "Make a new plan with the schema as it is now.",
  })

export const planOfOtherServer = (made: string, here: string): SchemaError =>
  new SchemaError("CHANGE.OTHER_SERVER", `this plan was made on ${made.slice(0, 200)}; this server is ${here}`, {
    why: "Keys with the same names may hold other data there.",
    fix: "Make a new plan on this server, or pass --any-server if it is the same server under another address.",
  })

export const journalRefused = (path: string, why: string): SchemaError =>
  new SchemaError("CHANGE.JOURNAL", `${path} is not the journal of this plan: ${why}`, {
    why: "A journal says what an undo reverts: it is valid only for the plan that was carried out, on that server and by that user.",
    fix: "Restore the plan that was carried out, as the same user; or remove the journal to carry the plan out from the start.",
  })

export const journalKeyRefused = (path: string, why: string): SchemaError =>
  new SchemaError("CHANGE.JOURNAL_KEY", `the key of journals, ${path}, cannot be used: ${why}`, {
    why: "It signs journals and the notes of imports, so that files written by somebody else are not trusted.",
    fix: "Make it readable only by its owner, or set KEYWRIGHT_STATE to a folder that only you can write to.",
  })

/** A change that could not be carried out to its end. What was done is in `details`. */
export const changeInterrupted = (done: number, of: number, cause: unknown): KeywrightError =>
  new KeywrightError("CHANGE.INTERRUPTED", `stopped after ${done} of ${of} actions: ${reasonOf(cause)}`, {
    why: "The connection was lost, or the call was aborted; what was done until then is noted.",
    fix: "Run the same call again: it continues from there.",
    details: { done, of, ...nodeDetails(cause) },
    cause,
  })

export const fileRefused = (path: string, why: string): SchemaError =>
  new SchemaError("CHANGE.FILE", `${path} cannot be written: ${why}`, {
    why: "The content may be secret, so it is written only to a new file.",
    fix: "Name another file, or remove this one.",
  })

export const journalMissing = (path: string): SchemaError =>
  new SchemaError("CHANGE.NO_JOURNAL", `${path} does not exist: this plan was never carried out`, {
    fix: "Only a plan that was applied can be undone; its journal is beside it.",
  })

export const planUndone = (path: string, journal: string): SchemaError =>
  new SchemaError("CHANGE.UNDONE", `${path} exists: this plan was undone, or its undo was begun`, {
    why: "Its journal says that the actions were carried out before, so they would be skipped.",
    fix: `Make a new plan; or remove this file and ${journal} to carry it out from the start.`,
  })

export const exportInterrupted = (keys: number, cause: unknown): KeywrightError =>
  new KeywrightError("EXPORT.INTERRUPTED", `the export stopped after ${keyCount(keys)}: ${reasonOf(cause)}`, {
    why: "The connection was lost, or the call was aborted; what was written until then is kept.",
    fix: "Run the same call again: it continues from there.",
    details: { keys, ...nodeDetails(cause) },
    cause,
  })

/** The same of an RDB file: nothing there gets better by itself. */
export const exportFileInterrupted = (path: string, keys: number, cause: unknown): KeywrightError =>
  new KeywrightError(
    "EXPORT.INTERRUPTED",
    `the export of ${path} stopped after ${keyCount(keys)}: ${reasonOf(cause)}`,
    {
      why: "The file is damaged or cannot be read, or the call was aborted; what was written until then is kept, without a closing line.",
      fix: "Take another copy of the file. If the call was aborted, run the same call again to continue.",
      details: { keys },
      cause,
    },
  )

export const importRefused = (line: number, why: string): SchemaError =>
  new SchemaError("IMPORT.REFUSED", `line ${line} of the export cannot be read: ${why}`, {
    fix: "Export again, or take another file.",
  })

export const importDamaged = (line: number, key: string): SchemaError =>
  new SchemaError("IMPORT.DAMAGED", `line ${line} of the export has been changed`, {
    why: "Its digest does not match.",
    fix: "Export again, or take another file.",
    key,
  })

export const importForeign = (line: number, key: string, why: string): SchemaError =>
  new SchemaError("IMPORT.FOREIGN", `line ${line} of the export does not belong to this schema: ${why}`, {
    why: "A file can name any key; only keys that the schema knows are accepted.",
    fix: 'Declare it, or import with --foreign to write such keys too (`foreign: "import"`).',
    key,
  })

export const importNote = (line: number, key: string, why: string): SchemaError =>
  new SchemaError("IMPORT.FOREIGN", `line ${line} of the export is not a note that Keywright would write: ${why}`, {
    why: "A forged note can make an operation look done, keep a job from running, or make a copy look begun.",
    fix: 'Export again without it (--only), or import with --foreign if you trust the file (`foreign: "import"`).',
    key,
  })

export const importCounter = (line: number, key: string, highest: number): SchemaError =>
  new SchemaError("IMPORT.COUNTER", `line ${line} of the export is a counter above ${highest}`, {
    why: "It has few ids left, or none; after the last one, every new record would be refused.",
    fix: "Set it to the highest id at the source, and export again; or export without it (--only).",
    key,
  })

export const importModule = (line: number, key: string): SchemaError =>
  new SchemaError("IMPORT.MODULE", `line ${line} of the export is a value of a module`, {
    why: "Only the module can read it, and a server that restores forged bytes may crash.",
    fix: "Import with --modules if you trust the file (`modules: true`), or export without such keys.",
    key,
  })

export const importLeftOut = (line: number, key: string): SchemaError =>
  new SchemaError("IMPORT.LEFT_OUT", `line ${line} of the export lacks secrets that were left out`, {
    why: "The import would write something other than the original.",
    fix: 'Export with --secrets, or import with --left-out skip to skip such keys (`leftOut: "skip"`).',
    key,
  })

export const importUnreadable = (line: number, key: string, reason: string): SchemaError =>
  new SchemaError("IMPORT.UNREADABLE", `line ${line} of the export is a key that could not be read: ${reason}`, {
    why: "The export has no value for it: the server refused to show it, or the source file could not be read.",
    fix: 'Export again as a user who may read all keys, or import with --left-out skip to skip such keys (`leftOut: "skip"`).',
    key,
  })

export const importExists = (key: string, count: number): KeywrightError =>
  new KeywrightError(
    "IMPORT.EXISTS",
    `${keyCount(count)} of the export ${count === 1 ? "exists" : "exist"} already, with other values`,
    {
      why: "Mode `fail` overwrites nothing.",
      fix: "Import with --mode skip or --mode overwrite, or into an empty database.",
      key,
    },
  )

export const importNotesRefused = (path: string): SchemaError =>
  new SchemaError("IMPORT.NOTES", `${path} was not written here, by this user`, {
    why: "It says how far an import got, and an import skips what the file calls done.",
    fix: "Remove it: the import then starts from the beginning.",
  })

export const importCut = (): SchemaError =>
  new SchemaError("IMPORT.CUT", "the export has no closing line: it is not complete", {
    why: "The export was interrupted.",
    fix: "Run the export again: it continues where it stopped.",
  })

export const importMismatch = (what: string): SchemaError =>
  new SchemaError("IMPORT.MISMATCH", `the export does not match its closing line: ${what}`, {
    fix: "Export again, or take another file.",
  })

export const importInterrupted = (keys: number, cause: unknown): KeywrightError =>
  new KeywrightError("IMPORT.INTERRUPTED", `the import stopped after ${keyCount(keys)}: ${reasonOf(cause)}`, {
    why: "The connection was lost, or the call was aborted; what was imported until then is noted.",
    fix: "Run the same call again: it continues from there.",
    details: { keys, ...nodeDetails(cause) },
    cause,
  })

export const purgeOfAll = (): SchemaError =>
  new SchemaError("PURGE.EVERYTHING", "this would delete every key: no keys were named", {
    fix: "Name the keys: by a pattern's name, --match, --idle, --older, --unknown or a predicate.",
  })

export const purgeOfDerived = (name: string): SchemaError =>
  new SchemaError("PURGE.DERIVED", `the keys of ${name} are derived from an entity's records`, {
    why: "Without them the records could not be found.",
    fix: "Name the entity, whose indexes are deleted with it; or correct them with repair.",
  })

export const copyOtherSchema = (name: string, why: string): SchemaError =>
  new SchemaError("COPY.OTHER_SCHEMA", `${name} cannot be copied: ${why}`, {
    why: "Source and target need the same entries; only their patterns may differ.",
    fix: "Give the same schema in another placement, for example withTag(schema, …); for another schema, see keywright diff.",
  })

export const copyElements = (name: string, key: string, why: string): KeywrightError =>
  new KeywrightError("COPY.ELEMENTS", `the elements of ${key} (${name}) cannot be assigned to shards: ${why}`, {
    key,
    why: "On the other side the key exists once in each shard, and each element belongs to one of them.",
    fix: "Empty it first: run the drain that it belongs to, or delete the wrong elements.",
  })

/** `key` is shown, without its secrets. */
export const copyUnknownType = (key: string, fix: string): KeywrightError =>
  new KeywrightError("COPY.UNKNOWN_TYPE", `${key} cannot be copied: the source reports an unknown type`, {
    key,
    why: "Such a value can only be copied as the bytes of DUMP, which nobody can check, and a server that restores forged bytes may crash.",
    fix,
  })

/** `key` is shown, without its secrets. */
export const copyFieldDeadlines = (key: string): KeywrightError =>
  new KeywrightError("COPY.FIELD_DEADLINES", `${key} cannot be copied: some of its fields expire by themselves`, {
    key,
    why: "Deadlines of single fields (HPEXPIRE) are not copied, and without them the fields would never expire.",
    fix: "Remove the deadlines (HPERSIST) or delete the key, and run the same call again; or move the data with Redis' own means, a replica or an RDB file.",
  })

/** What was about to be given to RESTORE is not a value of a module. */
export const unrestorable = (key: string): KeywrightError =>
  new KeywrightError("COPY.UNRESTORABLE", `${key} is not restored: its bytes are not a value of a module`, {
    key,
    why: "Redis' own types are written by their own commands; a server that restores forged bytes may crash.",
    fix: "Check the source: a server that sends such bytes is broken or hostile.",
  })

export const malformed = (key: string, type: string): KeywrightError =>
  new KeywrightError("COPY.MALFORMED", `${key} is not written: it is a malformed ${type}`, {
    key,
    why: "A malformed score or id could be taken for an option of the command that writes it.",
    fix: "Check the source: a server that sends such values is broken or hostile.",
  })

export const copyNotEmpty = (where: string, pattern: string): KeywrightError =>
  new KeywrightError("COPY.NOT_EMPTY", `${where} has keys of ${pattern} already`, {
    why: "A copy makes the target equal to the source: keys that exist only on the target would be deleted.",
    fix: "Copy to an empty target, or pass --overwrite if its keys may be deleted.",
  })

export const copyOther = (where: string, key: string): KeywrightError =>
  new KeywrightError("COPY.OTHER", `another copy to ${where} was begun and not finished`, {
    why: `Its note is in ${key}: it comes from another server, or uses another schema.`,
    fix: `Finish that copy with the same call; or give it up: DEL ${key}, and copy with --overwrite.`,
  })

export const copyPauseOver = (ms: number): KeywrightError =>
  new KeywrightError("COPY.PAUSE_OVER", `the writes were paused for ${ms} ms, and the last round took longer`, {
    why: "Writers have continued, so the copy may be incomplete. The switch was not made.",
    fix: "Run the same call again with a longer --pause.",
  })

/** The programs were switched to the other server, and the pause of the writers ended before that. */
export const copySwitchedLate = (ms: number, tookMs: number): KeywrightError =>
  new KeywrightError(
    "COPY.PAUSE_OVER",
    `the writes were paused for ${ms} ms, and it took ${tookMs} ms until the switch was done`,
    {
      why: "Writers continued for the rest of that time, and what they wrote to the source is not on the target. The switch was made.",
      fix: "Compare what was written to the source since then; next time, use a longer --pause or a faster switch.",
    },
  )

export const copySwitchFailed = (cause: unknown): KeywrightError =>
  new KeywrightError("COPY.SWITCH_FAILED", `both sides are equal, but the switch failed: ${reasonOf(cause)}`, {
    why: "The switch was to happen while writers wait; the copy itself is complete, and writers continue on the source.",
    fix: "Check what the switch did, undo it if needed, and run the same call again.",
    cause,
  })

export const copyInterrupted = (round: number, keys: number, cause: unknown): KeywrightError =>
  new KeywrightError(
    "COPY.INTERRUPTED",
    `the copy stopped in round ${round}, after ${keyCount(keys)}: ${reasonOf(cause)}`,
    {
      why: "A connection was lost, or the call was aborted; what was copied until then is kept.",
      fix: "Run the same call again: it continues from there.",
      details: { round, keys, ...nodeDetails(cause) },
      cause,
    },
  )

/** `fix`: what to do where it is not a matter of permission. */
export const copyRefused = (command: string, key: string, reason: string, fix: string | undefined): KeywrightError =>
  new KeywrightError("COPY.FAILED", `${command} of ${key} was refused: ${reason}`, {
    key,
    why: "The key would be missing on the other side. What was copied until then is kept.",
    fix: `${fix ?? "Allow both users the commands and the keys."} Then run the same call again: it continues from there.`,
  })

export const copyFromReplica = (where: string): KeywrightError =>
  new KeywrightError("COPY.REPLICA", `${where} is a replica: writes cannot be paused there`, {
    why: "Writers write to its primary, and what they write meanwhile would be missing on the target.",
    fix: "Copy from the primary, or leave --pause out.",
  })

export const copySameServer = (where: string): KeywrightError =>
  new KeywrightError("COPY.SAME_SERVER", `${where} is both the source and the target: its writes cannot be paused`, {
    why: "The copy itself writes there, and would wait for the end of the pause.",
    fix: "Leave --pause out, and stop all writing programs before the last call.",
  })
