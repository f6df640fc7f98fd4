/* What the schema has no words for: for `keywright audit`, by keywright.config.ts. */

import type { AuditRule } from "keywright/operate"

/** An empty one opens nothing, and cannot be sent (CDB-5). */
const mapKey: AuditRule<{ readonly map_key?: string }> = {
  code: "USER.MAP_KEY",
  of: "users.user",
  check: ({ map_key }) =>
    map_key === "" ? { place: { field: "map_key" }, expected: "an API key", found: "an empty one" } : undefined,
}

export const auditRules = [mapKey] as readonly AuditRule[]
