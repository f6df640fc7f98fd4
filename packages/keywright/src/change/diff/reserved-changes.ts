/* Names that were removed and reserved, so that nobody gives them another meaning: reported
 * when one is back. A schema that reserves and declares a name at once is an error of
 * `check`. */

import type { FoundChange } from "./change.ts"
import type { Matched } from "./match.ts"
import type { SideEntry, SchemaSide } from "./side.ts"

export function reservedChanges(before: SchemaSide, after: SchemaSide, pairs: Matched["pairs"]): FoundChange[] {
  return [
    ...before.reserved
      .filter((name) => after.entries.has(name))
      .map((name): FoundChange => ({ code: "NAME.REUSED", path: name, what: name, newKey: name })),
    ...pairs.flatMap(([one, other]) =>
      fieldsBack(one, other).map((name): FoundChange => ({
        code: "FIELD.REUSED",
        path: `${other.path}.${name}`,
        what: name,
        oldKey: one.key.name,
        newKey: other.key.name,
      })),
    ),
  ]
}

/** Reserved names that are used again: fields of a hash, or top-level fields of a document. */
function fieldsBack({ reserved }: SideEntry, { key }: SideEntry): string[] {
  const { fields, value } = key.shape as { fields?: object; value?: { spec?: { schema?: { properties?: object } } } }
  const declared = fields ?? value?.spec?.schema?.properties ?? {}
  return reserved.filter((name) => Object.hasOwn(declared, name))
}
