/* What page and server of the studio say to each other: types only, imported by both.
 *
 * Requests are `GET` with a query, or `POST` with a JSON body; answers are JSON. An
 * answer that is not 2xx is a `Failure`. What happens by itself comes over one stream
 * of events (`GET /api/events`, text/event-stream), by the names of `Events`.
 *
 * Every request but `POST /api/enter` carries the session as `Authorization: Bearer …`.
 *
 * A key is addressed by (system, db, ref). `ref` is made by the server and opaque to the
 * page: it fits into a URL as it is, survives a restart of the studio unless the key
 * holds a secret, and never shows a secret. the accompanying `key` is for people: secrets
 * redacted, bytes that are not text as `\xff`.
 *
 * Values are text everywhere: the page must never take one for markup. */

import type { Advice } from "../change/diff/advice.ts"
import type { Change } from "../change/diff/change.ts"
import type { Difference } from "../change/diff/diff.ts"
import type { ChangeReport } from "../change/carry-out.ts"
import type { ErrorReport } from "../errors/error-report.ts"
import type { CheckFinding } from "../inspect/check/check-finding.ts"
import type { DoctorResult } from "../inspect/doctor/doctor.ts"
import type { Place } from "../inspect/audit/finding.ts"
import type { SizeSpread, TtlSpread } from "../inspect/stats/tally.ts"
import type { TopFrame } from "../inspect/stats/top.ts"
import type { JsonSchema } from "../schema/codec/codec-spec.ts"
import type { Diagram, DiagramBox, DiagramLine } from "../render/diagram.ts"
import type { DocKey, DocPage, DocSection } from "../render/doc-model.ts"

export type { ChangeReport, CheckFinding, Diagram, DiagramBox, DiagramLine, DocKey, DocPage, DocSection, DoctorResult }
export type { JsonSchema, Place, SizeSpread, TopFrame, TtlSpread }

/** Every call: `"METHOD path"`; `:system` is replaced by the system's name, `query` goes behind the `?`. */
export interface Api {
  /** The token of the printed link for the session; works once. */
  "POST /api/enter": { readonly body: { readonly token: string }; readonly answer: { readonly session: string } }
  "GET /api/session": { readonly answer: Session }

  "GET /api/systems/:system/schema": { readonly answer: SystemSchema }
  "GET /api/systems/:system/overview": { readonly answer: Overview }
  /** Scan again now, instead of when it is time. */
  "POST /api/systems/:system/scan": { readonly body: {}; readonly answer: ScanState }
  "GET /api/systems/:system/doctor": { readonly answer: DoctorResult }
  /** What changed since the schema of --against; 404 without one. */
  "GET /api/systems/:system/difference": { readonly answer: SystemDifference }

  "GET /api/systems/:system/keys": { readonly query: KeysQuery; readonly answer: KeysPage }
  "GET /api/systems/:system/complete": { readonly query: CompleteQuery; readonly answer: Completion }
  "GET /api/systems/:system/key": { readonly query: KeyQuery; readonly answer: KeyDetail }
  "GET /api/systems/:system/elements": { readonly query: ElementsQuery; readonly answer: ElementsPage }
  "GET /api/systems/:system/bytes": { readonly query: BytesQuery; readonly answer: BytesSlice }
  "GET /api/systems/:system/related": { readonly query: RelatedQuery; readonly answer: RelatedPage }
  /** The same three with secrets shown: a deliberate act, 403 `STUDIO.REVEAL_OFF` with --no-reveal; it is noted in the log. */
  "POST /api/systems/:system/reveal": { readonly body: RevealBody; readonly answer: Revealed }

  "GET /api/search": { readonly query: SearchQuery; readonly answer: SearchAnswer }

  "GET /api/systems/:system/audit": { readonly answer: AuditState }
  "POST /api/systems/:system/audit": { readonly body: AuditBody; readonly answer: AuditState }
  "POST /api/systems/:system/audit/stop": { readonly body: {}; readonly answer: AuditState }
  "GET /api/systems/:system/audit/findings": { readonly query: FindingsQuery; readonly answer: FindingsPage }
  /** Makes a plan of the last audit's findings. Reads only: also without --write. */
  "POST /api/systems/:system/audit/plan": { readonly body: PlanBody; readonly answer: PlanState }
  "GET /api/systems/:system/audit/plan": { readonly query: PlanQuery; readonly answer: PlanPage }
  /** Needs --write. */
  "POST /api/systems/:system/audit/apply": { readonly body: ApplyBody; readonly answer: ApplyAnswer }

  /** What an edit would do: validated, nothing written. Also without --write. */
  "POST /api/systems/:system/edit/preview": { readonly body: Edit; readonly answer: EditPreview }
  /** Needs --write, and `confirm` that repeats the preview's. */
  "POST /api/systems/:system/edit": { readonly body: Edit & { readonly confirm: string }; readonly answer: EditDone }
  /** What was done in this session of the studio, the newest first. */
  "GET /api/log": { readonly answer: { readonly entries: readonly LogEntry[] } }
}

// ── errors ───────────────────────────────────────────────────────────────────

/**
 * 400 not understood · 401 no session (`STUDIO.NO_SESSION`: open the printed link again) · 403 refused
 * (`STUDIO.READ_ONLY` without --write, `STUDIO.REVEAL_OFF`, `STUDIO.ORIGIN`, …) · 404 no such system, pattern or key ·
 * 409 changed meanwhile, or already under way · 422 the schema refuses it (`issues` by field) · 502 the server cannot
 * be reached.
 */
export interface Failure {
  readonly error: ErrorReport & {
    /** What is wrong with an edit, by field (`"value"` for a plain one, `"params.id"` for a parameter). */
    readonly issues?: readonly Issue[]
  }
}

export interface Issue {
  readonly field: string
  readonly message: string
}

// ── systems ──────────────────────────────────────────────────────────────────

export interface Session {
  readonly version: string
  /** Edits and repairs are allowed (--write). */
  readonly write: boolean
  /** Secrets can be shown on request (not --no-reveal). */
  readonly reveal: boolean
  readonly systems: readonly SystemInfo[]
}

export interface SystemInfo {
  /** Unique; the value of `:system`. */
  readonly name: string
  readonly title: string
  readonly doc: string | undefined
  /** For people, without credentials: `"redis://127.0.0.1:6379/0 (own connection)"`. */
  readonly server: string
  /** Where the system itself is reached, if it is an application that runs alongside the studio. */
  readonly url?: string
  /** What its schema can be compared with: `"HEAD:schema.ts"`. */
  readonly against?: string
  readonly fingerprint: string
  readonly databases: readonly { readonly db: number; readonly name?: string; readonly doc?: string }[]
  /** Numbers of declared patterns and entities. */
  readonly patterns: number
  readonly entities: number
  /** Whether commands can be watched (MONITOR is possible). */
  readonly live: boolean
}

export interface SystemSchema {
  readonly system: string
  /** The page of the docs, as data. */
  readonly page: DocPage
  /** Undefined when there is nothing to draw. */
  readonly diagram: PlacedDiagram | undefined
  /** The tree of patterns, complete. */
  readonly tree: readonly TreeNode[]
  /** What can be edited, and with which form; by the pattern's name. */
  readonly forms: Readonly<Record<string, EditForm>>
}

export interface SystemDifference extends Pick<Difference, "level" | "order" | "questions"> {
  readonly system: string
  /** The schema that was given with --against: `"HEAD:schema.ts"`. */
  readonly before: string
  readonly changes: readonly ShownChange[]
}

export interface ShownChange extends Change {
  /** What to do about it. */
  readonly advice: readonly Advice[]
  /** The pattern in the schema as it is now, where there is one. */
  readonly pattern?: string
}

export interface PlacedDiagram {
  readonly kind: Diagram["kind"]
  readonly width: number
  readonly height: number
  /** `x` and `y` are the left upper corner. `pattern`: where a click leads, the record of an entity. */
  readonly boxes: readonly (DiagramBox & {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
    readonly pattern?: string
  })[]
  readonly lines: readonly (DiagramLine & {
    readonly points: readonly { readonly x: number; readonly y: number }[]
    /** The middle of the label. */
    readonly labelAt: { readonly x: number; readonly y: number }
  })[]
}

/** Database → group or entity → pattern. Systems with one database begin with the groups. */
export type TreeNode = TreeGroup | TreePattern

export interface TreeGroup {
  readonly node: "database" | "group" | "entity" | "family" | "toolkit"
  /** Unique in the system: for open and closed. */
  readonly path: string
  readonly title: string
  readonly db: number
  readonly doc?: string
  readonly deprecated?: string
  readonly children: readonly TreeNode[]
}

export interface TreePattern {
  readonly node: "pattern"
  /** The name in the schema; of the toolkit's own keys `"<db>/<name>"`. What `pattern=` takes. */
  readonly name: string
  readonly pattern: string
  readonly db: number
  readonly type: string
  readonly kind: string
  /** In an entity: `"the record"`, `"all ids"`. */
  readonly role?: string
  readonly ttl: string
  readonly doc?: string
  readonly deprecated?: string
  readonly params: readonly ParamInfo[]
  /** Some segment is secret: keys are redacted. */
  readonly secret: boolean
}

export interface ParamInfo {
  readonly name: string
  readonly type: string
  readonly secret: boolean
  /** The named id that it is: `"user"`. */
  readonly id?: string
  readonly choices?: readonly string[]
}

// ── overview ─────────────────────────────────────────────────────────────────

export interface Overview {
  readonly system: string
  readonly scan: ScanState
  /** The server as it is now. */
  readonly pulse: Pulse
  readonly databases: readonly DatabaseOverview[]
  /** Growth while the studio runs: at most some hundreds of points, the oldest first. */
  readonly history: readonly HistoryPoint[]
  /** Of the last audit, by code; undefined when there was none. */
  readonly findings: Readonly<Record<string, number>> | undefined
}

export interface ScanState {
  readonly system: string
  /** Grows with every change: of two states, the one with the lower number is out of date. */
  readonly revision: number
  /** Where the running scan is; counts of `Overview` are of the last whole one, or of this one while it is the first. */
  readonly state: "waiting" | "running" | "done" | "failed"
  /** How many whole scans there were. */
  readonly round: number
  readonly keys: number
  /** How many there are, as DBSIZE says. */
  readonly of: number
  readonly perSecond: number
  readonly secondsLeft: number | undefined
  /** When the last whole scan ended. */
  readonly doneAt: string | undefined
  /** When the next one begins. */
  readonly nextAt: string | undefined
  readonly error?: Failure["error"]
}

/** Cheap facts, every two seconds or so. */
export interface Pulse {
  readonly system: string
  readonly at: string
  readonly up: boolean
  readonly version: string
  readonly flavour: string
  readonly uptimeSeconds: number
  readonly usedMemory: number
  readonly maxMemory: number
  readonly opsPerSecond: number
  readonly clients: number
  /** Of this system's databases. */
  readonly databases: readonly { readonly db: number; readonly keys: number; readonly expires: number }[]
}

export interface DatabaseOverview extends Counted {
  readonly db: number
  readonly name?: string
  readonly doc?: string
  /** Every declared pattern, those without keys too, in the schema's order. */
  readonly patterns: readonly PatternOverview[]
  /** The toolkit's own, where there are some. */
  readonly toolkit: readonly PatternOverview[]
  /** Keys that no pattern owns, by what their pattern may be; most keys first, at most 200. */
  readonly unknown: readonly PatternOverview[]
  /** How many kinds of unknown keys there are in all. */
  readonly unknownKinds: number
}

export interface PatternOverview extends Counted {
  /** What `pattern=` takes: the name in the schema, `"<db>/<name>"` of the toolkit's own, `"?<db>/<pattern>"` of unknown ones. */
  readonly name: string
  readonly pattern: string
  readonly known: "schema" | "toolkit" | "unknown"
  readonly ttlRule: string
}

export interface Counted {
  readonly keys: number
  readonly bytes: number
  readonly types: Readonly<Record<string, number>>
  readonly ttl: TtlSpread
  readonly ttlHealth: TtlHealth
  readonly sizes: SizeSpread
  readonly biggest: readonly (KeyLink & { readonly type: string; readonly bytes: number })[]
}

/** Keys by whether their TTL is as declared. */
export interface TtlHealth {
  readonly right: number
  /** Should expire, and never will. */
  readonly missing: number
  /** Will expire, and should not. */
  readonly unexpected: number
  readonly tooLong: number
  /** Undecided: no pattern, or no TTL declared. */
  readonly undecided: number
}

export interface HistoryPoint {
  readonly at: string
  readonly usedMemory: number
  readonly keys: number
  /** From whole scans only: keys by pattern name. */
  readonly patterns?: Readonly<Record<string, number>>
}

// ── keys ─────────────────────────────────────────────────────────────────────

/** Where a click leads. */
export interface KeyLink {
  readonly db: number
  readonly ref: string
  /** For people: secrets redacted. */
  readonly key: string
  /** The pattern's name, as `pattern=` takes it; undefined for keys that no pattern owns. */
  readonly name?: string
}

export interface KeysQuery {
  /** A pattern's name; see `PatternOverview.name`. */
  readonly pattern: string
  /** Default: 50; at most 500. */
  readonly limit?: number
  /** `KeysPage.next` of the page before. */
  readonly cursor?: string
  /** `p.<parameter>=text`: only keys with these texts there; with `*` at the end, those that begin so. */
  readonly [param: `p.${string}`]: string
}

/** A page may hold fewer keys than were asked for, even none, and still have a next one: a filter that fits few keys. */
export interface KeysPage {
  readonly keys: readonly KeyRow[]
  /** Undefined at the end. */
  readonly next: string | undefined
  /** Of the pattern, unfiltered, as the last scan counted; undefined when it has not yet. */
  readonly total: number | undefined
  /** True while the first scan is running: there may be more keys than can be listed now. */
  readonly partial: boolean
}

export interface KeyRow extends KeyLink {
  /** Texts of the parameters, `"…"` where secret. */
  readonly params: Readonly<Record<string, string>>
  readonly type: string
  /** Milliseconds; null for none. */
  readonly ttlMs: number | null
  readonly bytes: number | null
  /** A short look at the value: redacted, one line. */
  readonly preview?: string
}

export interface CompleteQuery {
  readonly pattern: string
  readonly param: string
  /** What has been typed. */
  readonly prefix?: string
  readonly limit?: number
  /** Parameters that are known already narrow it down. */
  readonly [param: `p.${string}`]: string
}

export interface Completion {
  /** Empty for secret parameters. */
  readonly values: readonly string[]
  /** There are more. */
  readonly more: boolean
}

export interface KeyQuery {
  readonly db: number
  readonly ref: string
}

export interface KeyDetail extends KeyLink {
  readonly system: string
  readonly pattern?: string
  readonly params: Readonly<Record<string, string>>
  readonly doc?: string
  /** `"none"` when there is no such key (any more). */
  readonly type: string
  readonly expectedType?: string
  readonly kind?: string
  readonly ttlMs: number | null
  readonly ttlRule?: string
  /** When `ttlMs` was so, by the studio's clock. */
  readonly at: string
  readonly bytes: number | null
  readonly encoding: string | null
  /** Elements, or bytes of a string. */
  readonly length: number | null
  /** Of a string or counter: the value, cut at 64 kB (`/bytes` has the rest). Of others absent: see `elements`. */
  readonly value?: Cell
  /** Of a JSON document or a hash with declared fields: each field, declared ones first. Hashes have at most 200 here. */
  readonly fields?: readonly FieldRow[]
  /** The first page of a collection's elements. */
  readonly elements?: ElementsPage
  readonly entity?: { readonly name: string; readonly role: string; readonly id?: string }
  readonly relations: readonly Relation[]
  /** Audit findings about this key in the last audit. */
  readonly findings: readonly FindingRow[]
  /** Something in it is redacted. */
  readonly hidden: boolean
  /** Which edits are possible (with --write); the form is `SystemSchema.forms[name]`. */
  readonly edits: readonly Edit["op"][]
  /** What an edit hands back, so that it is refused when somebody else changed the value meanwhile. */
  readonly seen: string
}

/** A value in a table: decoded, and as it is stored. */
export interface Cell {
  /** Absent when the codec does not read it, and for undeclared values: then only `raw` is there. */
  readonly decoded?: Shown
  /** Why it could not be decoded. */
  readonly error?: string
  /** Absent where it is secret. */
  readonly raw?: Raw
  readonly codec?: string
  readonly secret?: true
  /** What it refers to. */
  readonly link?: KeyLink
}

/** As stored: text, or base64 of bytes that are not text; cut where it is long. */
export interface Raw {
  readonly text?: string
  readonly base64?: string
  /** Of the whole value. */
  readonly bytes: number
  readonly cut: boolean
}

/** JSON, where an object with `"~"` represents what JSON cannot express. */
export type Shown = null | boolean | number | string | readonly Shown[] | { readonly [field: string]: Shown } | Special

export type Special =
  | { readonly "~": "secret" }
  | { readonly "~": "bigint"; readonly text: string }
  /** Infinity, -Infinity, NaN, -0. */
  | { readonly "~": "number"; readonly text: string }
  | { readonly "~": "date"; readonly text: string }
  | { readonly "~": "bytes"; readonly base64: string; readonly bytes: number }
  | { readonly "~": "undefined" }
  /** An object that itself has a field `~`. */
  | { readonly "~": "object"; readonly entries: readonly (readonly [string, Shown])[] }
  /** More than is shown: of an array, an object or a text. */
  | { readonly "~": "more"; readonly count: number }

export interface FieldRow {
  readonly name: string
  readonly value: Cell
  readonly type: string
  readonly declared: boolean
  /** Declared, and not there. */
  readonly missing: boolean
}

export interface ElementsQuery extends KeyQuery {
  readonly cursor?: string
  /** Default: 100; at most 1000. */
  readonly limit?: number
}

/** A table: for a zset `["member", "score"]`, for a list `["index", "item"]`, for a stream `["id", …fields]`. */
export interface ElementsPage {
  readonly columns: readonly string[]
  readonly rows: readonly {
    /** What an edit names this element by. */
    readonly element: string
    readonly cells: readonly Cell[]
  }[]
  readonly next: string | undefined
  readonly total: number
  /** False: as SCAN has them, in no order. */
  readonly ordered: boolean
}

export interface BytesQuery extends KeyQuery {
  readonly from: number
  /** At most 65536. */
  readonly count?: number
}

/** A part of a string as it is stored. */
export interface BytesSlice {
  readonly from: number
  readonly base64: string
  /** The same as text, when all of it is text. */
  readonly text?: string
  readonly bytes: number
  readonly next: number | undefined
}

/** Other keys that have to do with this one. */
export interface Relation {
  /** `"role"`, `"orders"`, `"index email"`, `"record"`, `"all ids"`. */
  readonly name: string
  /** `to`: this one refers to them; `from`: they refer to this one; `index`: derived from it; `holds`: its ids; `same`: the same id elsewhere. */
  readonly how: "to" | "from" | "index" | "holds" | "same"
  /** The pattern of the related keys. */
  readonly target: string
  readonly count: number
  /** The first of them. `exists: false`: it points at nothing. */
  readonly links: readonly (KeyLink & { readonly exists: boolean })[]
  /** For `/related`, where there are more than `links`. */
  readonly next: string | undefined
  readonly doc?: string
}

export interface RelatedQuery extends KeyQuery {
  /** `Relation.name` and `.how`. */
  readonly relation: string
  readonly how: Relation["how"]
  readonly cursor: string
}

export interface RelatedPage {
  readonly links: Relation["links"]
  readonly next: string | undefined
}

export interface RevealBody {
  readonly db: number
  readonly ref: string
  /** What to show with its secrets: the key, a page of elements, or a part of the bytes. */
  readonly what: "key" | "elements" | "bytes"
  readonly cursor?: string
  readonly limit?: number
  readonly from?: number
  readonly count?: number
}

export type Revealed =
  | { readonly key: KeyDetail }
  | { readonly elements: ElementsPage }
  | { readonly bytes: BytesSlice }

// ── search ───────────────────────────────────────────────────────────────────

export interface SearchQuery {
  readonly q: string
  /** Only in this one. */
  readonly system?: string
  /** Default: 30; at most 100. */
  readonly limit?: number
}

export interface SearchAnswer {
  /** The best first. */
  readonly hits: readonly SearchHit[]
}

export type SearchHit =
  | {
      readonly what: "pattern"
      readonly system: string
      readonly name: string
      readonly pattern: string
      readonly db: number
      readonly type: string
      readonly text?: string
    }
  | { readonly what: "entity"; readonly system: string; readonly name: string; readonly text?: string }
  /** A field or parameter of a pattern. */
  | {
      readonly what: "field"
      readonly system: string
      readonly name: string
      readonly pattern: string
      readonly field: string
      readonly type: string
    }
  /** A key that exists: spelled exactly, or an id of an entity. */
  | { readonly what: "key"; readonly system: string; readonly link: KeyLink; readonly type: string }
  | { readonly what: "finding"; readonly code: string; readonly text: string }

// ── audit ────────────────────────────────────────────────────────────────────

export interface AuditBody {
  /** Only keys that match this glob. */
  readonly match?: string
}

export interface AuditState {
  readonly system: string
  /** As that of `ScanState`: an answer may arrive after the event of what followed it. */
  readonly revision: number
  readonly state: "never" | "running" | "done" | "stopped" | "failed"
  readonly startedAt: string | undefined
  readonly endedAt: string | undefined
  readonly keys: number
  readonly of: number
  readonly perSecond: number
  readonly secondsLeft: number | undefined
  /** Findings by code, and in all. */
  readonly summary: Readonly<Record<string, number>>
  readonly findings: number
  readonly fixable: number
  /** What the codes mean. */
  readonly codes: Readonly<Record<string, CodeInfo>>
  readonly error?: Failure["error"]
}

export interface CodeInfo {
  readonly title: string
  readonly why?: string
  readonly fix?: string
  /** Whether repair can fix it; "flag": only with the option to delete data that is not derived. */
  readonly fixable: boolean | "flag"
}

export interface FindingsQuery {
  readonly code?: string
  /** A pattern as it appears in the findings. */
  readonly pattern?: string
  readonly offset?: number
  /** Default: 50; at most 500. */
  readonly limit?: number
}

export interface FindingsPage {
  readonly findings: readonly FindingRow[]
  /** How many fit the filter. */
  readonly total: number
  /** Numbers for the filter: by code and pattern, of all findings that are kept. */
  readonly groups: readonly { readonly code: string; readonly pattern: string; readonly count: number }[]
}

export interface FindingRow {
  readonly code: string
  readonly pattern: string
  readonly link: KeyLink
  readonly place?: Place
  readonly expected: string
  readonly found: string
  readonly fixable: boolean
}

export interface PlanBody {
  /** What may be deleted although it is not derived. */
  readonly delete?: readonly ("unknown" | "broken" | "conflicts" | "fields" | "orphans" | "excess")[]
}

export interface PlanState {
  readonly id: string
  readonly made: string
  readonly actions: number
  /** Actions by code. */
  readonly byCode: Readonly<Record<string, number>>
  /** Findings that are not in it, by code: only a person can know, or `delete` is needed. */
  readonly left: Readonly<Record<string, number>>
  /** For each word that `delete` takes: how many findings it would add. */
  readonly deletable: Readonly<Record<string, number>>
  /** What `ApplyBody.confirm` has to be: `"apply 12 actions to shop"`. */
  readonly confirm: string
}

export interface PlanQuery {
  readonly id: string
  readonly code?: string
  readonly offset?: number
  readonly limit?: number
}

export interface PlanPage extends PlanState {
  readonly total: number
  readonly rows: readonly {
    readonly code: string
    readonly db: number
    readonly pattern: string
    readonly key: string
    readonly place?: Place
    readonly why: string
    /** As they would be typed; secrets hidden. */
    readonly commands: readonly string[]
  }[]
}

export interface ApplyBody {
  readonly id: string
  readonly confirm: string
}

export interface ApplyAnswer {
  readonly report: Omit<ChangeReport, "outcomes">
  /** The audit that follows has been started: watch it come out clean. */
  readonly audit: AuditState
}

// ── edit ─────────────────────────────────────────────────────────────────────

/** What a form asks for. */
export interface EditForm {
  readonly name: string
  /** Creating is possible: records of entities and plain keys; not indexes, counters of ids and the like. */
  readonly create: boolean
  /** Parameters of the key; the id of an entity that counts its ids is not asked for. */
  readonly params: readonly FormField[]
  /** Fields of a record, or one element of a collection (`member`, `score`), or `value`. */
  readonly fields: readonly FormField[]
  /** `record`: fields of one document or hash. `value`: one value. `element`: one element of a collection. */
  readonly shape: "record" | "value" | "element"
  /** The writer chooses the TTL among these (milliseconds, or null for none). */
  readonly ttls?: readonly (number | null)[]
}

export interface FormField {
  readonly name: string
  readonly type: string
  readonly optional: boolean
  readonly secret: boolean
  readonly doc?: string
  /**
   * `json`: a JSON value goes into the request (`true`, `3`, `["a"]`, `"text"`). `text`: a string, spelled as it is stored
   * in Redis; the codec reads it.
   */
  readonly as: "json" | "text"
  readonly input: "text" | "multiline" | "number" | "boolean" | "choice" | "json"
  readonly choices?: readonly string[]
  /** Of JSON fields. */
  readonly schema?: JsonSchema
}

/** What is to be done; `seen` is `KeyDetail.seen`. */
export type Edit =
  /** A record, a plain value, or a collection with its first element. */
  | {
      readonly op: "create"
      readonly pattern: string
      readonly params: Readonly<Record<string, string>>
      readonly fields: Readonly<Record<string, unknown>>
      readonly ttlMs?: number | null
    }
  /** Fields of a record; null in `fields` removes an optional one. Plain values: `{ value }`. */
  | {
      readonly op: "change"
      readonly db: number
      readonly ref: string
      readonly seen: string
      readonly fields: Readonly<Record<string, unknown>>
    }
  /** An element of a collection: added, or put in the place of `element`. */
  | {
      readonly op: "put"
      readonly db: number
      readonly ref: string
      readonly element?: string
      readonly fields: Readonly<Record<string, unknown>>
    }
  | { readonly op: "remove"; readonly db: number; readonly ref: string; readonly element: string }
  | { readonly op: "delete"; readonly db: number; readonly ref: string; readonly seen: string }

export interface EditPreview {
  /** In words: `"change cart:42: total"`. */
  readonly text: string
  /** What the edit's `confirm` has to repeat, and the person should see: the key. */
  readonly confirm: string
  /** The commands that would be sent, secrets hidden. */
  readonly commands: readonly string[]
}

export interface EditDone {
  readonly entry: LogEntry
  /** The key as it is now; undefined when it is gone. */
  readonly link: KeyLink | undefined
}

export interface LogEntry {
  readonly at: string
  readonly system: string
  readonly what: Edit["op"] | "apply" | "reveal"
  /** In words, secrets hidden. */
  readonly text: string
  readonly ok: boolean
  readonly error?: Failure["error"]
  readonly link?: KeyLink
}

// ── events ───────────────────────────────────────────────────────────────────

/**
 * `new EventSource("/api/events?live=shop,messaging")`. Without `live`, nothing is watched with MONITOR; to change it,
 * open another stream and close this one. Each event's data is one of these as JSON. A slow page misses events and
 * learns how many from `missed`; each event is a complete state, so the next one makes up for it.
 */
export interface Events {
  readonly scan: ScanState
  /** While a scan is running: counts so far (first scan), or of the whole scan that has just ended. */
  readonly counts: Counts
  readonly pulse: Pulse
  readonly audit: AuditState
  readonly live: LiveFrame
  readonly commands: LiveCommands
  readonly log: LogEntry
  readonly missed: { readonly count: number }
  /** The studio ends: do not reconnect. */
  readonly bye: {}
}

export interface Counts {
  readonly system: string
  /** False while they are still being counted for the first time. */
  readonly whole: boolean
  readonly patterns: readonly {
    readonly db: number
    readonly name: string
    readonly pattern: string
    readonly keys: number
    readonly bytes: number
  }[]
}

/** Commands per second by pattern. `rows[].name` links a row to its pattern. */
export interface LiveFrame extends Omit<TopFrame, "rows"> {
  readonly system: string
  readonly rows: readonly (TopFrame["rows"][number] & { readonly name?: string })[]
  /** Why there are none, if something is in the way. */
  readonly error?: Failure["error"]
}

/** Some of the commands that passed by: never keys' secrets, never values. */
export interface LiveCommands {
  readonly system: string
  readonly commands: readonly LiveCommand[]
  /** How many more were seen and left out. */
  readonly more: number
}

export interface LiveCommand {
  readonly at: string
  readonly db: number
  /** `"hset"` */
  readonly command: string
  /** Redacted; undefined for commands without a key. */
  readonly key?: string
  readonly name?: string
  readonly pattern?: string
  /** Called by a script. */
  readonly script: boolean
}
