/* What can be wrong with the parameters of a key. Nothing is sent. */

import { shown } from "./codec.ts"
import { SchemaError } from "./error.ts"

export const keyMissingParam = (pattern: string, param: string) =>
  new SchemaError("KEY.MISSING_PARAM", `"${pattern}" needs {${param}}`, { pattern, fix: `Pass { ${param}: … }.` })

export const keyOtherShard = (pattern: string, named: string) =>
  new SchemaError("KEY.OTHER_SHARD", `the parameters of a key of "${pattern}" lead to another shard than ${named}`, {
    pattern,
    why: "The parameters of a key determine its shard. In another shard no program would find it, and a group that is bound to a shard never leaves it.",
    fix: "Bind the group to the same values, or to their checksum, checksum(…).",
  })

export const keyUnknownParam = (pattern: string, param: string) =>
  new SchemaError("KEY.UNKNOWN_PARAM", `"${pattern}" has no {${param}}`, {
    pattern,
    fix: `Leave out ${param}, or correct its name.`,
  })

export const keyBoundParam = (pattern: string, param: string) =>
  new SchemaError("KEY.BOUND_PARAM", `{${param}} of "${pattern}" is bound to another value`, {
    pattern,
    why: `The group was bound to one {${param}}, and has only its keys.`,
    fix: `Leave out ${param}, or bind the group to the other value.`,
  })

export const keyEmptySegment = (pattern: string, param: string) =>
  new SchemaError("KEY.EMPTY_SEGMENT", `{${param}} of "${pattern}" is empty`, {
    pattern,
    why: "An empty segment builds a different key: viewed:{token} without a token is the key `viewed:`.",
    fix: "Refuse empty input.",
  })

export const keySegmentTooLong = (pattern: string, param: string, length: number, max: number) =>
  new SchemaError("KEY.SEGMENT_TOO_LONG", `{${param}} of "${pattern}" has ${length} characters; at most ${max} fit`, {
    pattern,
    fix: "Use a digest of the long text as the segment.",
  })

export const keyForbiddenCharacter = (pattern: string, param: string, found: string, secret: boolean) =>
  new SchemaError(
    "KEY.FORBIDDEN_CHARACTER",
    `{${param}} of "${pattern}" contains ${secret ? "a character that is not allowed there" : shown(found)}`,
    {
      pattern,
      why: "Separators, braces, globs, white space and control characters would build a different key, or match other keys.",
      fix: "Refuse such input, or give the parameter a codec that allows the character: id(name, { allow }).",
    },
  )

export const keyReserved = (pattern: string, owner: string) =>
  new SchemaError("KEY.RESERVED", `this key of "${pattern}" is reserved: "${owner}" owns it`, {
    pattern,
    why: "Both patterns match this key, and the more literal one owns it.",
    fix: "Choose another id.",
    details: { owner },
  })
