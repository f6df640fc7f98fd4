/* What page and server of the studio say to each other: types only, imported by both. One
 * file for each subject, in api/: its calls, then what they say.
 *
 * Requests are `GET` with a query, or `POST` with a JSON body; answers are JSON. An
 * answer that is not 2xx is a `Failure`. What happens by itself comes over one stream
 * of events (`GET /api/events`, text/event-stream), by the names of `Events`.
 *
 * Every request but `POST /api/enter` carries the session as `Authorization: Bearer …`.
 *
 * A key is addressed by (system, db, ref). `ref` is made by the server and opaque to the
 * page: it fits into a URL as it is, survives a restart of the studio unless the key
 * holds a secret, and never shows a secret. The accompanying `key` is for people: secrets
 * redacted, bytes that are not text as `\xff`.
 *
 * Values are text everywhere: the page must never take one for markup. */

import type { AuditCalls } from "./api/audit.ts"
import type { ConsoleCalls } from "./api/console.ts"
import type { EditCalls } from "./api/edit.ts"
import type { KeyCalls } from "./api/key.ts"
import type { KeysCalls } from "./api/keys.ts"
import type { OverviewCalls } from "./api/overview.ts"
import type { ProposalCalls } from "./api/proposal.ts"
import type { SchemaCalls } from "./api/schema.ts"
import type { SearchCalls } from "./api/search.ts"
import type { SessionCalls } from "./api/session.ts"
import type { SlowCalls } from "./api/slow.ts"

export type * from "./api/session.ts"
export type * from "./api/schema.ts"
export type * from "./api/proposal.ts"
export type * from "./api/overview.ts"
export type * from "./api/keys.ts"
export type * from "./api/key.ts"
export type * from "./api/cell.ts"
export type * from "./api/search.ts"
export type * from "./api/audit.ts"
export type * from "./api/edit.ts"
export type * from "./api/console.ts"
export type * from "./api/slow.ts"
export type * from "./api/events.ts"

/** Every call: `"METHOD path"`; `:system` is replaced by the system's name, `query` goes behind the `?`. */
export interface Api
  extends
    SessionCalls,
    SchemaCalls,
    ProposalCalls,
    OverviewCalls,
    KeysCalls,
    KeyCalls,
    SearchCalls,
    AuditCalls,
    EditCalls,
    ConsoleCalls,
    SlowCalls {}
