/* One system as the studio sees it: its keyspace, its server, and how a key there is
 * classified, shown and linked to. Everything else of the studio starts from here. */

import { secrecyOf } from "../../change/plan/show-words.ts"
import { parseAddress } from "../../driver/address.ts"
import type { Driver, Transport, Wire } from "../../driver/driver.ts"
import { embeddedDriver, type EngineLike } from "../../driver/embedded.ts"
import { openServer as openAddress, TOOL_REPLY_BYTES } from "../../driver/resp/open-resp.ts"
import { isSentinelAddress, parseSentinelAddress } from "../../driver/sentinel/sentinel-address.ts"
import { notFound, refRefused } from "../../errors/studio.ts"
import { type OwnedKey, ownerIn, type OwningPatterns, patternsIn } from "../../inspect/model/owning-patterns.ts"
import { type Model, modelOf, type KeyModel } from "../../inspect/model/model.ts"
import type { AuditOptions } from "../../inspect/audit/audit.ts"
import type { Inference } from "../../inspect/infer/infer.ts"
import type { Rules } from "../../inspect/check/check-finding.ts"
import { type Database, databasesOf } from "../../inspect/walk/databases.ts"
import type { MonitorTarget } from "../../inspect/stats/monitor.ts"
import { HIDDEN, secretParams } from "../../schema/secret-params.ts"
import { showUnknown } from "../../inspect/model/unknown-patterns.ts"
import { isText, showWire } from "../../inspect/walk/wire.ts"
import { type DocKey, type DocPage, docPage } from "../../render/page/doc-model.ts"
import type { KeyspaceForm } from "../../schema/json/form.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { KeyLink } from "../api.ts"
import { onePer } from "../../client/call/one-per.ts"
import { OwnCommands } from "./own-commands.ts"
import { openPlain, Refs } from "./refs.ts"

/**
 * One system that the studio shows: its schema, and where its data is.
 * @example
 * const system: StudioSystem = { name: "shop", keyspace: shop, server: "redis://localhost:6379" }
 */
export interface StudioSystem {
  /** Unique: it is part of addresses. Default: the keyspace's name. */
  readonly name?: string
  readonly keyspace: Keyspace
  /** `"redis://…"`, or an engine of this process. */
  readonly server: string | { readonly engine: EngineLike }
  /** The logical database, for keyspaces that name none. */
  readonly db?: number
  /** Where the system itself is reached, if it is an application. */
  readonly url?: string
  /** What its config says: rules and exceptions of audit, levels of doctor. */
  readonly rules?: NonNullable<AuditOptions["rules"]>
  readonly accept?: NonNullable<AuditOptions["accept"]>
  readonly levels?: Rules
  /** What the keyspace was inferred from, if nobody declared it: its rules are not repaired by. */
  readonly inference?: Inference
  /** Another version of its schema, which the page compares it with; `label` is for people. */
  readonly against?: { readonly form: KeyspaceForm; readonly label: string }
}

const NAME = "keywright-studio"

export class OpenSystem {
  readonly given: StudioSystem
  readonly name: string
  /** Secrets are shown to those who ask for them. */
  readonly #reveals: boolean
  readonly keyspace: Keyspace
  readonly driver: Driver
  readonly databases: readonly Database[]
  /** Separate connections for what takes long, so that a user's request never waits behind it. */
  readonly background: { readonly driver: Driver; readonly databases: readonly Database[] }
  readonly model: Model
  readonly monitored: MonitorTarget
  /** What the studio itself sends there. */
  readonly own: OwnCommands
  /** Whether MONITOR and settings are those of this machine: for doctor. */
  readonly connection: { readonly tls: boolean; readonly local: boolean }
  /** The schema's page, as data. */
  readonly page: DocPage
  readonly #docs: ReadonlyMap<string, DocKey>
  readonly #refs = new Refs()
  readonly #patterns: ReadonlyMap<number, readonly OwningPatterns[]>
  readonly #isSecret: (name: string) => boolean
  /** The parameters of a pattern that are secret. */
  readonly secretParams = onePer(({ declared, toolkit }: KeyModel) =>
    secretParams(declared, toolkit ? [] : this.keyspace.keys),
  )

  private constructor(
    given: StudioSystem,
    name: string,
    own: OwnCommands,
    opened: OpenConnection,
    databases: readonly Database[],
    background: OpenSystem["background"],
    reveals: boolean,
  ) {
    this.given = given
    this.#reveals = reveals
    this.name = name
    this.keyspace = given.keyspace
    this.driver = opened.driver
    this.databases = databases
    this.background = background
    this.monitored = opened.monitored
    this.own = own
    this.connection = opened.connection
    this.model = modelOf(given.keyspace, databases, false, 60_000)
    this.page = docPage(given.keyspace)
    this.#isSecret = secrecyOf(given.keyspace)
    this.#docs = new Map(this.page.sections.flatMap(({ keys }) => keys.map((key) => [key.name, key])))
    this.#patterns = new Map(databases.map(({ db }) => [db, patternsIn(this.model, db)]))
  }

  static async open(given: StudioSystem, name: string, reveals = true): Promise<OpenSystem> {
    const own = new OwnCommands()
    const opened = openServer(given, own)
    const { driver } = openServer(given, own)
    try {
      const [databases, walked] = await Promise.all(
        [opened.driver, driver].map((one) => databasesOf(given.keyspace, one, {})),
      )
      return new OpenSystem(given, name, own, opened, databases!, { driver, databases: walked! }, reveals)
    } catch (error) {
      await Promise.all([opened.driver.close(), driver.close()])
      throw error
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.driver.close(), this.background.driver.close()])
  }

  driverOf(db: number): Driver {
    const found = this.databases.find((one) => one.db === db)
    if (found === undefined) throw notFound(`database ${db} in ${this.name}`)
    return found.driver
  }

  /** What the schema calls a database, and says about it. */
  databaseNotes(db: number): { readonly name?: string; readonly doc?: string } {
    const section = this.page.sections.find((one) => one.kind === "database" && one.db === db)
    const name = section && /^Database \d+: (.*)$/.exec(section.title)?.[1]
    return { ...(name !== undefined && { name }), ...(section?.doc !== undefined && { doc: section.doc }) }
  }

  /** The pattern of this name; of the toolkit's own, `"<db>/<name>"`. */
  rowNamed(name: string): KeyModel {
    const row = this.model.keys.get(name)
    if (row === undefined) throw notFound(`pattern of this name in ${this.name}`)
    return row
  }

  ownerOf(db: number, key: Wire): OwnedKey | undefined {
    return isText(key) ? ownerIn(this.patternsOf(db), key) : undefined
  }

  /** Those of a database, in the order in which they own a key. */
  patternsOf(db: number): readonly OwningPatterns[] {
    return this.#patterns.get(db) ?? []
  }

  /** What the docs say about a pattern; undefined for the toolkit's own. */
  docKey(row: KeyModel): DocKey | undefined {
    return row.toolkit ? undefined : this.#docs.get(row.declared.name)
  }

  /** The name of a row as the page has it. */
  nameOf(row: KeyModel): string {
    return row.toolkit ? `${row.db}/${row.declared.name}` : row.declared.name
  }

  link(db: number, key: Wire, owner: KeyModel | undefined = this.ownerOf(db, key)?.row): KeyLink {
    const shown = shownKey(key, owner)
    const ref = this.#refs.of(key, shown)
    return { db, ref, key: shown, ...(owner !== undefined && { name: this.nameOf(owner) }) }
  }

  /** The key behind a reference, in a database that exists. */
  keyOf(db: number, ref: string): Wire {
    this.driverOf(db)
    const key = this.#refs.open(ref)
    if (ref.startsWith("k") && this.isGuess(db, key)) throw refRefused()
    return key
  }

  /** A part of the key is a secret that is revealed to nobody: who spells it tries whether it is right. */
  isGuess(db: number, key: Wire): boolean {
    return !this.#reveals && shownKey(key, this.ownerOf(db, key)?.row) !== showWire(key)
  }

  /** Whether keys may be looked for by this parameter. */
  isSoughtBy(row: KeyModel, param: string): boolean {
    return this.#reveals || !this.secretParams(row).has(param)
  }

  /** For elements: base64url, or sealed where the key may hold secrets. */
  refOf(db: number, key: Wire, row: KeyModel | undefined, element: Wire): string {
    const bytes = Buffer.from(element)
    const isOpen = row !== undefined && !this.holdsSecrets(row)
    return isOpen ? `k${bytes.toString("base64url")}` : this.#refs.seal(bytes, elementOf(db, key))
  }

  elementOf(db: number, key: Wire, row: KeyModel, ref: string): Wire {
    return this.holdsSecrets(row) ? this.#refs.openAt(elementOf(db, key), ref) : openPlain(ref)
  }

  /** How a key was seen: of a value that may be secret, even a digest would say which one it is. */
  sealSeen(db: number, key: Wire, seen: string): string {
    return this.#refs.seal(Buffer.from(seen), lookOf(db, key))
  }

  openSeen(db: number, key: Wire, sealed: string): string {
    return String(this.#refs.openAt(lookOf(db, key), sealed))
  }

  /** Keys or values of this pattern may hold secrets: nothing that no codec has read is shown of them. */
  holdsSecrets(row: KeyModel): boolean {
    return row.toolkit || this.#isSecret(row.declared.name)
  }

  /** Nothing of its value is shown: it may hold secrets, or nobody knows whether it does. */
  hides(owner: OwnedKey | undefined): boolean {
    return owner === undefined || this.holdsSecrets(owner.row)
  }

  shownParams({ row, params }: OwnedKey, reveal = false): Record<string, string> {
    const secret = this.secretParams(row)
    return Object.fromEntries(
      Object.entries(params).map(([name, text]) => [name, !reveal && secret.has(name) ? HIDDEN : text]),
    )
  }
}

const shownKey = (key: Wire, owner: KeyModel | undefined): string =>
  owner === undefined ? showUnknown(key) : owner.show(key)

/** What is sealed for a key: one of its elements, and how it was seen. */
const elementOf = (db: number, key: Wire): string => `element ${db} ${Buffer.from(key).toString("base64")}`
const lookOf = (db: number, key: Wire): string => `look ${db} ${Buffer.from(key).toString("base64")}`

interface OpenConnection {
  readonly driver: Driver
  readonly monitored: MonitorTarget
  readonly connection: OpenSystem["connection"]
}

function openServer({ server, db }: StudioSystem, own: OwnCommands): OpenConnection {
  const options = {
    name: NAME,
    timeoutMs: 5000,
    connectTimeoutMs: 5000,
    usualReplyBytes: TOOL_REPLY_BYTES,
    ...(db !== undefined && { db }),
  }
  if (typeof server === "object") {
    const dial = async (): Promise<Transport> => server.engine.connect()
    return {
      driver: own.noting(embeddedDriver(server.engine, options)),
      monitored: { dial, label: "the embedded engine" },
      connection: { tls: false, local: true },
    }
  }
  const address = isSentinelAddress(server) ? parseSentinelAddress(server).primary : parseAddress(server)
  const { username, password, tls, host, path } = address
  const driver = openAddress(server, options)
  return {
    driver: own.noting(driver),
    monitored: { dial: (signal) => driver.dial!(signal), label: driver.label, username, password },
    connection: { tls, local: path !== undefined || /^(localhost|127\.|::1$)/.test(host) },
  }
}
