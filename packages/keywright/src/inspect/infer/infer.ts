/* From a server that nobody documented to a proposed schema.
 *
 *   every key → its pattern (database-miner) → what its values, TTLs and parameters are
 *   (row, kinds) → whose ids are where (domains) → entities, families, invariants, each
 *   proved by asking again → a keyspace in its JSON form, and a report
 *
 * One walk and some thousand single questions, in bounded memory; nothing is written. */

import type { Driver, ServerFacts } from "../../driver/driver.ts"
import { SchemaError } from "../../errors/error.ts"
import { Interrupted } from "../../errors/inspect.ts"
import type { KeyspaceForm } from "../../schema/json/form.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { databasesOf } from "../walk/databases.ts"
import { getOrMake } from "../walk/get-or-make.ts"
import { isUnknownCommand } from "../walk/refusal.ts"
import { Unreadable, type UnreadableKeys } from "../model/unreadable.ts"
import type { WalkOptions } from "../walk/walk.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { compare, type Lack } from "./propose/against.ts"
import { type Deviation, deviationsOf } from "./propose/deviations.ts"
import { withCompositeValues } from "./structure/composite-values.ts"
import { batched } from "./batched.ts"
import { DatabaseMiner } from "./mine/database-miner.ts"
import { domainsOf } from "./structure/domains.ts"
import { complete, entitiesOf } from "./structure/entities.ts"
import { type FoundEntity, patternsOf } from "./structure/found-entity.ts"
import { familiesOf } from "./structure/families.ts"
import { openEnumerations } from "./structure/open-enumerations.ts"
import { alikeIn, namedLinks, provedLinks } from "./structure/links.ts"
import { liveSource } from "./live-source.ts"
import { wholeSegments } from "./mine/whole-segments.ts"
import { usedDatabases } from "./used-databases.ts"
import type { OwnKeys } from "./mine/own-keys.ts"
import { patternOf, type Pattern } from "./mine/pattern.ts"
import { type IdPlace, placesOf } from "./structure/places.ts"
import { countsAgree } from "./propose/verify-counts.ts"
import { type Findings, PLAINEST, proposalOf, type Proposal } from "./propose/proposal.ts"
import { idsOf, nameParams } from "./propose/proposal-params.ts"
import { rdbSource } from "./rdb-source.ts"
import { relationsOf } from "./structure/relations.ts"
import { type InferredKey, inferredKeys, type Unexplained, unexplainedOf } from "./propose/report.ts"
import type { KeySource } from "./source.ts"

/**
 * Options of `infer`.
 * @example
 * const options: InferOptions = { name: "shop", sample: 0.1 }
 * const proposal = await infer({ rdb: "dump.rdb" }, options)
 */
export interface InferOptions extends WalkOptions {
  /** Logical databases. Default: all that have keys. */
  readonly databases?: readonly number[]
  /** For the title of the schema. */
  readonly name?: string
  /** A schema that is there already: only what it lacks is proposed. */
  readonly against?: Keyspace
}

/**
 * Where to look: a server, or the path of an RDB file.
 * @example
 * const backup: InferSource = { rdb: "dump.rdb" }
 * const proposal = await infer(backup)
 */
export type InferSource = Driver | { readonly rdb: string }

/**
 * What `infer` returns: the proposal in its JSON form, and what it rests on.
 * @example
 * const doubtful = ({ patterns }: Inference) => patterns.filter(({ doubt }) => doubt > 0.05)
 */
export interface Inference {
  readonly schemaVersion: 1
  readonly server: (ServerFacts & { readonly label: string }) | { readonly rdb: string }
  /** How many keys were read, and how many of them the proposal explains. */
  readonly keys: number
  readonly explained: number
  /** The fraction of the keys that was read, when it was not all of them. */
  readonly sample?: number
  /** The proposed keyspace, in its JSON form. */
  readonly form: KeyspaceForm
  /** Every pattern of it, with what it rests on. */
  readonly patterns: readonly InferredKey[]
  readonly unexplained: readonly Unexplained[]
  /** What audit finds by the proposal beside that; not known of parts of a server, nor of a very large one. */
  readonly deviations?: readonly Deviation[]
  /** Keys of Keywright's own, which need no declaration. */
  readonly toolkit: readonly OwnKeys[]
  /** What the server refused to read: the proposal knows nothing of it. Empty when all was read. */
  readonly unreadable: readonly UnreadableKeys[]
  /** With `against`: what the given schema lacks. */
  readonly lacks?: readonly Lack[]
}

/**
 * Reads a server or an RDB file that nobody documented, and proposes a schema. Throws `Interrupted` with what it has so far.
 * @example
 * const { form, explained, keys } = await infer(db.$driver())
 * console.log(`${explained} of ${keys} keys`, fromJson(form).keys.length)
 */
export async function infer(from: InferSource, options: InferOptions = {}): Promise<Inference> {
  const miners = new Map<number, DatabaseMiner>()
  const minerOf = (db: number) => getOrMake(miners, db, () => new DatabaseMiner(db))
  const unreadable = new Unreadable(undefined, 0)
  const { source, server } = await open(from, options, unreadable)
  const result = async (whole: boolean): Promise<Inference> => ({
    ...(await conclude(
      [...miners.values()],
      whole ? batched(source) : async (probes) => probes.map(() => undefined),
      server,
      "rdb" in from ? 0 : from.db,
      options,
    )),
    unreadable: unreadable.result(),
  })
  try {
    await source.read(minerOf)
  } catch (error) {
    if (error instanceof Interrupted) error.partial = await result(false)
    throw error
  }
  const found = await result(true)
  try {
    const deviations = await deviationsOf(from, found, options)
    return { ...found, ...(deviations && { deviations }) }
  } catch (error) {
    // The audit has its own part of the work to show: here it is the proposal.
    if (error instanceof Interrupted) error.partial = found
    throw error
  }
}

async function open(
  from: InferSource,
  options: InferOptions,
  unreadable: Unreadable,
): Promise<{ source: KeySource; server: Inference["server"] }> {
  if ("rdb" in from) return { source: rdbSource(from.rdb, options), server: { rdb: from.rdb } }
  const numbers = options.databases ?? (await usedDatabases(from))
  const databases = await databasesOf(undefined, from, { ...options, databases: numbers }, (db, command, refusal) => {
    // Servers before 7.0 do not know when a key expires to the millisecond, and are read without that.
    if (command[0] !== "PEXPIRETIME" || !isUnknownCommand(refusal)) unreadable.note(db, command, refusal)
  })
  return { source: liveSource(databases, options), server: { label: from.label, ...(await from.facts()) } }
}

async function conclude(
  miners: readonly DatabaseMiner[],
  ask: KeySource["ask"],
  server: Inference["server"],
  home: number,
  { name, sample, against }: InferOptions,
): Promise<Omit<Inference, "unreadable">> {
  for (const miner of miners) {
    miner.end()
    miner.disownStrays()
  }
  const rows = wholeSegments(
    miners.map(({ db, rows: own, unowned }) => ({
      db,
      rows: own.filter(({ count }) => count > 0),
      strangers: unowned,
    })),
  )
  const all = rows
    .flatMap(({ row, db }) => patternOf(row, db) ?? [])
    .sort((a, b) => a.db - b.db || bySoftware(a, b) || b.row.count - a.row.count)
  const compared = against && compare(against, all, home)
  const patterns = compared?.missing ?? all
  const findings = await structure(patterns, ask)
  const proposal = propose(findings, miners, home, name)
  const keys = miners.reduce((sum, miner) => sum + miner.keys, 0)
  const unexplained = unexplainedOf(miners, findings)
  const missing = unexplained.reduce((sum, one) => sum + one.keys, 0)
  return {
    schemaVersion: 1,
    server,
    keys,
    explained: keys - missing,
    ...(sample !== undefined && sample < 1 && { sample }),
    form: proposal.form,
    patterns: inferredKeys(findings, proposal),
    unexplained,
    toolkit: miners.flatMap(({ own, db }) => own.found(db)),
    ...(compared && { lacks: compared.lacks }),
  }
}

/** Keys of one program are together, after the others. */
const bySoftware = (a: Pattern, b: Pattern): number => {
  const [one, other] = [a.row.known?.about ?? "", b.row.known?.about ?? ""]
  return one < other ? -1 : one > other ? 1 : 0
}

async function structure(patterns: readonly Pattern[], ask: KeySource["ask"]): Promise<Findings> {
  openEnumerations(patterns)
  // How another program relates its keys is for that program to say.
  const own = patterns.filter(({ row }) => row.known === undefined)
  const entities = entitiesOf(own)
  // All questions at once: of a file, each round is a pass over it.
  const [families, proved] = await Promise.all([
    familiesOf(own, ask),
    provedLinks(own, entities, ask),
    complete(entities, own, ask),
  ])
  for (const { pattern, idField } of entities) pattern.names = [idField]
  const domains = domainsOf(patterns.flatMap(placesOf).filter(maySayWhose), homes(entities))
  const known = idsOf(domains, entities)
  const owned = new Set(entities.flatMap(patternsOf))
  const plain = patterns.filter((pattern) => !owned.has(pattern))
  for (const pattern of plain) {
    if (pattern.row.known === undefined) nameParams(pattern, known)
    const lead = pattern.described.kind === "counter" ? known.spec(pattern, "value") : undefined
    if (lead !== undefined) pattern.described = { ...pattern.described, kind: "string", shape: { value: lead } }
  }
  const ids = withCompositeValues(known, plain, domains)
  return {
    patterns,
    entities,
    ids,
    families: families
      .map((family) => family.filter((pattern) => !owned.has(pattern)))
      .filter((family) => family.length > 1),
    invariants: namedLinks(proved, entities, ids, (pattern) => !owned.has(pattern)),
    alike: alikeIn(proved),
    relations: new Map(),
  }
}

/** Numbers that another program stores are its own affair: what they are is not guessed from those that look alike. */
const maySayWhose = ({ pattern, at, isInt }: IdPlace): boolean =>
  pattern.row.known === undefined || !isInt || "param" in at

/** The entity whose ids a place holds for certain. */
function homes(entities: readonly FoundEntity[]): (place: IdPlace) => string | undefined {
  const records = new Map(entities.map((entity) => [entity.pattern, entity]))
  const holders = new Map(
    entities.flatMap(({ name, all, indexes }) =>
      [...(all ? [all] : []), ...indexes.flatMap((index) => index.patterns)].map((pattern) => [pattern, name] as const),
    ),
  )
  return ({ pattern, at }) => {
    const own = records.get(pattern)
    if (own !== undefined && ("param" in at || ("field" in at && at.field === own.idField))) return own.name
    return "part" in at ? holders.get(pattern) : undefined
  }
}

/** As rich as it fits together, and as it leaves every key to its pattern: else plainer, step by step. */
function propose(
  findings: Findings,
  miners: readonly DatabaseMiner[],
  home: number,
  name: string | undefined,
): Proposal {
  for (let plain = 0; ; plain++) {
    try {
      const options = { plain, home, dbs: miners.map(({ db }) => db), ...(name !== undefined && { name }) }
      const first = proposalOf(findings, options)
      const declared = findings.entities.filter(({ pattern }) => first.entities.includes(pattern))
      const relations = relationsOf(declared, findings.patterns, findings.ids, (pattern) => first.names.get(pattern))
      const proposal = proposalOf({ ...findings, relations }, options)
      const keyspace = fromJson(proposal.form)
      if (plain === PLAINEST || countsAgree(keyspace, proposal, miners)) return proposal
    } catch (error) {
      if (!(error instanceof SchemaError) || plain === PLAINEST) throw error
    }
  }
}
