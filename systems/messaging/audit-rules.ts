/* What the schema has no words for: for `keywright audit`, by keywright.config.ts. */

import type { AuditRule } from "keywright/operate"
import type { contact } from "./ids.ts"

/** A refresh token that came with no access token is the first of its login (MSG-1). */
const initialToken: AuditRule<{ readonly access_token?: string }> = {
  code: "REFRESH_TOKEN.FIRST",
  of: "service.refreshToken",
  check: async ({ access_token }, { ttl }) =>
    access_token === undefined && (await ttl()) === undefined
      ? { expected: "a first refresh token that expires", found: "no TTL" }
      : undefined,
}

type Contact = ReturnType<typeof contact.decode>

/** Each contact once, and none of oneself (MSG-18, MSG-19). */
const contacts: AuditRule<readonly Contact[]> = {
  code: "CONTACTS.ODD",
  of: "service.contacts",
  check(all, { params }) {
    const seen = new Set<string>()
    return all.flatMap(({ tag, id }) => {
      const member = `${tag}${id}`
      const isRepeated = seen.has(member)
      seen.add(member)
      if (isRepeated) return [{ place: { member }, expected: "each contact once", found: "one again" }]
      const isSelf = tag === "u_" && id === params["user"]
      return isSelf ? [{ place: { member }, expected: "other users", found: "the user" }] : []
    })
  },
}

export const auditRules = [initialToken, contacts] as readonly AuditRule[]
