/* What can go wrong while data is changed, exported or imported. */

import { KeywrightError, SchemaError } from "./error.ts"

export const planRefused = (why: string): SchemaError =>
  new SchemaError("CHANGE.PLAN", `this is not a plan that can be carried out: ${why}`, {
    why: "a plan holds only the changes that repair and purge make, on keys that the schema owns",
    fix: "make a new one with keywright repair or keywright purge, on the same server and schema",
  })

export const planOfOtherSchema = (fingerprint: string): SchemaError =>
  new SchemaError("CHANGE.OTHER_SCHEMA", `this plan was made by another schema (${fingerprint.slice(0, 80)})`, {
    why: "what sets data right by one schema may damage it by another",
    fix: "make a new plan by the schema as it is now",
  })

export const planOfOtherServer = (made: string, here: string): SchemaError =>
  new SchemaError("CHANGE.OTHER_SERVER", `this plan was made on ${made.slice(0, 200)}, and this is ${here}`, {
    why: "keys of the same name may be other data there",
    fix: "make a new plan on this server, or say --any-server if it is the same one by another address",
  })

export const journalRefused = (path: string, why: string): SchemaError =>
  new SchemaError("CHANGE.JOURNAL", `${path} is not the journal of this plan: ${why}`, {
    why: "by a journal of another plan, things would count as done that were not",
    fix: "put the plan back that was carried out, or remove the journal to carry this one out from its beginning",
  })

/** A change that could not be carried out to its end. What was done is in `details`. */
export const changeInterrupted = (done: number, of: number, cause: unknown): KeywrightError =>
  new KeywrightError("CHANGE.INTERRUPTED", `stopped after ${done} of ${of}: ${reasonOf(cause)}`, {
    why: "the server went away, or the call was aborted; what was done until then is noted",
    fix: "run the same call again: it goes on from there",
    details: { done, of },
    cause,
  })

export const fileRefused = (path: string, why: string): SchemaError =>
  new SchemaError("CHANGE.FILE", `${path} cannot be written: ${why}`, {
    why: "what is written may be secret, and goes only into a new file of its own",
    fix: "name another file, or remove what stands there",
  })

export const journalMissing = (path: string): SchemaError =>
  new SchemaError("CHANGE.NO_JOURNAL", `${path} is not there: nothing was carried out from this plan`, {
    fix: "only a plan that was applied can be undone; its journal stands beside it",
  })

export const exportInterrupted = (keys: number, cause: unknown): KeywrightError =>
  new KeywrightError("EXPORT.INTERRUPTED", `the export stopped after ${keys} keys: ${reasonOf(cause)}`, {
    why: "the server went away, or the call was aborted; what was written until then is kept",
    fix: "run the same call again: it goes on from there",
    details: { keys },
    cause,
  })

export const importRefused = (line: number, why: string): SchemaError =>
  new SchemaError("IMPORT.REFUSED", `line ${line} of the export cannot be read: ${why}`, {
    fix: "export again, or take another file",
  })

export const importDamaged = (line: number, key: string): SchemaError =>
  new SchemaError("IMPORT.DAMAGED", `line ${line} of the export is not as it was written`, {
    why: "its digest is another one",
    fix: "export again, or take another file",
    key,
  })

export const importForeign = (line: number, key: string, why: string): SchemaError =>
  new SchemaError("IMPORT.FOREIGN", `line ${line} of the export is not of this schema: ${why}`, {
    why: "a file can name any key; what the schema does not know, nobody here has asked for",
    fix: 'declare it, or import with --foreign to write such keys too (`foreign: "import"`)',
    key,
  })

export const importLeftOut = (line: number, key: string): SchemaError =>
  new SchemaError("IMPORT.LEFT_OUT", `line ${line} of the export lacks secrets that were left out`, {
    why: "what would be written is not what was there",
    fix: 'export with --secrets, or import with --left-out skip to pass over such keys (`leftOut: "skip"`)',
    key,
  })

export const importExists = (key: string, count: number): KeywrightError =>
  new KeywrightError("IMPORT.EXISTS", `${count} keys of the export exist already, with other values`, {
    why: "the mode is fail, which writes nothing over",
    fix: "import with --mode skip or --mode overwrite, or into an empty database",
    key,
  })

export const importCut = (): SchemaError =>
  new SchemaError("IMPORT.CUT", "the export has no closing line: it is not complete", {
    why: "the export was interrupted",
    fix: "run the export again: it goes on where it stopped",
  })

export const importMismatch = (what: string): SchemaError =>
  new SchemaError("IMPORT.MISMATCH", `the export is not what its closing line says: ${what}`, {
    fix: "export again, or take another file",
  })

export const importInterrupted = (keys: number, cause: unknown): KeywrightError =>
  new KeywrightError("IMPORT.INTERRUPTED", `the import stopped after ${keys} keys: ${reasonOf(cause)}`, {
    why: "the server went away, or the call was aborted; what was imported until then is noted",
    fix: "run the same call again: it goes on from there",
    details: { keys },
    cause,
  })

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

export const purgeOfAll = (): SchemaError =>
  new SchemaError("PURGE.EVERYTHING", "this would delete every key: nothing was said about which", {
    fix: "say which: a pattern's name, --match, --idle, --older, --unknown or a predicate",
  })

export const purgeOfDerived = (name: string): SchemaError =>
  new SchemaError("PURGE.DERIVED", `the keys of ${name} are derived from an entity's records`, {
    why: "without them the records could not be found",
    fix: "name the entity: its indexes follow; or use repair to set them right",
  })
