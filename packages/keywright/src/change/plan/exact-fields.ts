/* Objects from files: of exactly the fields that they should have. */

import { isObject } from "../../schema/codec/json-checks.ts"

type Checks = Readonly<Record<string, (value: unknown) => boolean>>

/** An object with these fields, perhaps those, and no others. */
export function isExactly(value: unknown, needed: Checks, optional: Checks = {}): boolean {
  if (!isObject(value)) return false
  const fields = value as Readonly<Record<string, unknown>>
  const names = Object.keys(fields)
  const checkOf = (name: string) =>
    Object.hasOwn(needed, name) ? needed[name] : Object.hasOwn(optional, name) ? optional[name] : undefined
  return (
    Object.keys(needed).every((name) => Object.hasOwn(fields, name)) &&
    names.every((name) => checkOf(name)?.(fields[name]) === true)
  )
}
