/* Names that were removed and reserved, so that nobody gives them another meaning: reported
 * when one is back. A schema that reserves and declares a name at once is an error of
 * `check`. */

import type { Found } from "./change.ts"
import type { Entry, Side } from "./side.ts"

export function reservedChanges(
  before: Side,
  after: Side,
  pairs: readonly (readonly [before: Entry, after: Entry])[],
): Found[] {
  return [
    ...before.reserved
      .filter((name) => after.entries.has(name))
      .map((name): Found => ({ code: "NAME.REUSED", path: name, what: name, newKey: name })),
    ...pairs.flatMap(([one, other]) =>
      fieldsBack(one, other).map((name): Found => ({
        code: "FIELD.REUSED",
        path: `${other.path}.${name}`,
        what: name,
        oldKey: one.key.name,
        newKey: other.key.name,
      })),
    ),
  ]
}

const fieldsBack = (before: Entry, after: Entry): string[] => {
  const names = fieldNames(after)
  return before.reserved.filter((name) => names.has(name))
}

/** The fields of a hash, or of a document at its top. */
export function fieldNames({ key }: Pick<Entry, "key">): ReadonlySet<string> {
  const { fields, value } = key.shape as { fields?: object; value?: { spec?: { schema?: { properties?: object } } } }
  return new Set(Object.keys(fields ?? value?.spec?.schema?.properties ?? {}))
}
