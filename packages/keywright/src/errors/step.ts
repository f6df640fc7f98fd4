/* What can be wrong with an atomic step. */

import { KeywrightError, SchemaError } from "./error.ts"
import { Conflict, Undecodable } from "./outcome.ts"

const the = (keys: readonly string[]) => `the step on ${keys.join(", ") || "no keys"}`

export const stepDatabases = (keys: readonly string[], databases: readonly number[]) =>
  new SchemaError("STEP.DATABASES", `${the(keys)} needs keys of the databases ${databases.join(" and ")}`, {
    why: "A script sees one logical database.",
    fix: "Keep what changes together in one database.",
  })

export const stepNames = (keys: readonly string[], name: string) =>
  new SchemaError("STEP.NAMES", `${the(keys)} uses the name "${name}" for two things`, {
    why: "A call passes parameters of keys, arrays of them, and arguments in one object.",
    fix: "Rename the argument, or the parameter.",
  })

export const stepHeader = (keys: readonly string[], word: string) =>
  new SchemaError("STEP.HEADER", `${the(keys)} has a script that does not say what ${word} is`, {
    fix: `Begin the script with a comment that lists ${word}: "-- ${word}[1]  …".`,
  })

export const stepScript = (name: string, url: string, cause: unknown) =>
  new SchemaError("STEP.SCRIPT", `the script of the step ${name} cannot be read from ${url}`, {
    fix: 'Give the URL of a file: new URL("./step.lua", import.meta.url), and ship the file with the application.',
    cause,
  })

export const stepUnknown = (name: string, given: string, known: readonly string[]) =>
  new SchemaError("STEP.UNKNOWN_NAME", `the step ${name} knows no "${given}"`, {
    fix: known.length === 0 ? "It takes nothing." : `It takes ${known.join(", ")}.`,
  })

export const stepMissing = (name: string, missing: string) =>
  new SchemaError("STEP.MISSING", `the step ${name} needs "${missing}"`, {
    fix: "Pass every parameter and argument of the step.",
  })

export const stepRefused = (name: string, cause: KeywrightError) =>
  new Conflict(cause.code, cause.message.replace(cause.code, "").trim() || cause.code, {
    why: `The script of the step ${name} refused it, before it wrote anything.`,
    details: { step: name },
    cause,
  })

export const stepResult = (name: string, expected: string, cause?: unknown) =>
  new Undecodable("STEP.RESULT", `the step ${name} did not return ${expected}`, {
    why: "The script does not match its declaration.",
    fix: "Correct `returns`, or what the script returns.",
    details: { step: name },
    ...(cause !== undefined && { cause }),
  })
