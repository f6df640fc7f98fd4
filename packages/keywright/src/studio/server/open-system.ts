/* One system as the studio sees it: its keyspace, its server, and how a key there is
 * classified, shown and linked to. Everything else of the studio starts from here. */

import { parseAddress, showAddress } from "../../driver/address.ts"
import type { Driver, Transport, Wire } from "../../driver/driver.ts"
import { embeddedDriver, type EngineLike } from "../../driver/embedded.ts"
import { dialSocket } from "../../driver/resp/dial.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { notFound } from "../../errors/studio.ts"
import { type Model, modelOf, type RowModel } from "../../inspect/audit/model.ts"
import type { AuditOptions } from "../../inspect/audit.ts"
import type { Rules } from "../../inspect/check-finding.ts"
import { type Database, databasesOf } from "../../inspect/databases.ts"
import type { MonitorTarget } from "../../inspect/monitor.ts"
import { HIDDEN, secretParams } from "../../inspect/show-key.ts"
import { showUnknown } from "../../inspect/unknown-patterns.ts"
import { isText } from "../../inspect/wire.ts"
import { type DocKey, type DocPage, docPage } from "../../render/doc-model.ts"
import { classifier } from "../../schema/classify.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { KeyLink } from "../api.ts"
import { Refs } from "./refs.ts"

/** What the studio is told of a system. */
export interface StudioSystem {
  /** Unique: it stands in addresses. The keyspace's name unless told. */
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
}

export interface Owned {
  readonly row: RowModel
  readonly params: Readonly<Record<string, string>>
}

const NAME = "keywright-studio"

export class OpenSystem {
  readonly given: StudioSystem
  readonly name: string
  readonly keyspace: Keyspace
  readonly driver: Driver
  readonly databases: readonly Database[]
  readonly model: Model
  readonly monitored: MonitorTarget
  /** Whether MONITOR and settings are those of this machine: for doctor. */
  readonly connection: { readonly tls: boolean; readonly local: boolean }
  /** The schema's page, as data. */
  readonly page: DocPage
  readonly #docs: ReadonlyMap<string, DocKey>
  readonly #refs = new Refs()
  readonly #owners: ReadonlyMap<number, (key: string) => Owned | undefined>
  readonly #secret = new Map<string, ReadonlySet<string>>()

  private constructor(given: StudioSystem, name: string, opened: Opened, databases: readonly Database[]) {
    this.given = given
    this.name = name
    this.keyspace = given.keyspace
    this.driver = opened.driver
    this.databases = databases
    this.monitored = opened.monitored
    this.connection = opened.connection
    this.model = modelOf(given.keyspace, databases, false, 60_000)
    this.page = docPage(given.keyspace)
    this.#docs = new Map(this.page.sections.flatMap(({ keys }) => keys.map((key) => [key.name, key])))
    this.#owners = new Map(databases.map(({ db }) => [db, ownerIn(this.model, db)]))
  }

  static async open(given: StudioSystem, name: string): Promise<OpenSystem> {
    const opened = openServer(given)
    try {
      return new OpenSystem(given, name, opened, await databasesOf(given.keyspace, opened.driver, {}))
    } catch (error) {
      await opened.driver.close()
      throw error
    }
  }

  close(): Promise<void> {
    return this.driver.close()
  }

  driverOf(db: number): Driver {
    const found = this.databases.find((one) => one.db === db)
    if (found === undefined) throw notFound(`database ${db} in ${this.name}`)
    return found.driver
  }

  /** What the schema calls a database, and says of it. */
  databaseNotes(db: number): { readonly name?: string; readonly doc?: string } {
    const section = this.page.sections.find((one) => one.kind === "database" && one.db === db)
    const name = section && /^Database \d+: (.*)$/.exec(section.title)?.[1]
    return { ...(name !== undefined && { name }), ...(section?.doc !== undefined && { doc: section.doc }) }
  }

  /** The pattern of this name; of the toolkit's own, `"<db>/<name>"`. */
  rowNamed(name: string): RowModel {
    const row = this.model.rows.get(name)
    if (row === undefined) throw notFound(`pattern of this name in ${this.name}`)
    return row
  }

  ownerOf(db: number, key: Wire): Owned | undefined {
    return isText(key) ? this.#owners.get(db)?.(key) : undefined
  }

  /** What the docs say of a pattern; undefined for the toolkit's own. */
  docKey(row: RowModel): DocKey | undefined {
    return row.toolkit ? undefined : this.#docs.get(row.row.name)
  }

  /** The name of a row as the page has it. */
  nameOf(row: RowModel): string {
    return row.toolkit ? `${row.db}/${row.row.name}` : row.row.name
  }

  link(db: number, key: Wire, owner: RowModel | undefined = this.ownerOf(db, key)?.row): KeyLink {
    const shown = owner === undefined ? showUnknown(key) : owner.show(key)
    const ref = this.#refs.of(key, shown)
    return { db, ref, key: shown, ...(owner !== undefined && { name: this.nameOf(owner) }) }
  }

  /** The key behind a reference, of a database that there is. */
  keyOf(db: number, ref: string): Wire {
    this.driverOf(db)
    return this.#refs.open(ref)
  }

  /** For elements: base64url, or sealed where it is secret. */
  refOf(element: Wire, secret: boolean): string {
    return secret ? this.#refs.seal(Buffer.from(element)) : `k${Buffer.from(element).toString("base64url")}`
  }

  open(ref: string): Wire {
    return this.#refs.open(ref)
  }

  secretParams(row: RowModel): ReadonlySet<string> {
    let secret = this.#secret.get(this.nameOf(row))
    if (secret === undefined)
      this.#secret.set(this.nameOf(row), (secret = secretParams(row.row, row.toolkit ? [] : this.keyspace.keys)))
    return secret
  }

  shownParams({ row, params }: Owned, reveal = false): Record<string, string> {
    const secret = this.secretParams(row)
    return Object.fromEntries(
      Object.entries(params).map(([name, text]) => [name, !reveal && secret.has(name) ? HIDDEN : text]),
    )
  }
}

/** The application's patterns come before the toolkit's. */
function ownerIn(model: Model, db: number): (key: string) => Owned | undefined {
  const finders = [false, true].map((toolkit) => {
    const own = [...model.rows.values()].filter((row) => row.db === db && row.toolkit === toolkit)
    if (own.length === 0) return () => undefined
    const { owner } = classifier(own.map(({ row }) => row))
    const byRow = new Map(own.map((row) => [row.row, row]))
    return (key: string): Owned | undefined => {
      const found = owner(key)
      return found && { row: byRow.get(found.key)!, params: found.params }
    }
  })
  return (key) => finders[0]!(key) ?? finders[1]!(key)
}

interface Opened {
  readonly driver: Driver
  readonly monitored: MonitorTarget
  readonly connection: OpenSystem["connection"]
}

function openServer({ server, db }: StudioSystem): Opened {
  const options = { name: NAME, timeoutMs: 10_000, connectTimeoutMs: 5000, ...(db !== undefined && { db }) }
  if (typeof server === "object") {
    const dial = async (): Promise<Transport> => server.engine.connect()
    return {
      driver: embeddedDriver(server.engine, options),
      monitored: { dial, label: "the embedded engine" },
      connection: { tls: false, local: true },
    }
  }
  const address = parseAddress(server)
  const { username, password, tls, host, path } = address
  return {
    driver: openResp(server, options),
    monitored: { dial: dialSocket(address), label: showAddress(address), username, password },
    connection: { tls, local: path !== undefined || /^(localhost|127\.|::1$)/.test(host) },
  }
}
