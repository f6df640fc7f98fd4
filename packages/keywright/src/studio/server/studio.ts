/* Everything that a running studio holds: its systems, each with its scan, audit, live
 * watch and editor; the events; the log of what was done. */

import type { LogEntry, Session, SystemInfo } from "../api.ts"
import { notFound } from "../../errors/studio.ts"
import { version } from "../../cli/version.ts"
import { fingerprint } from "../../schema/json/fingerprint.ts"
import { AuditRun } from "./audit-run.ts"
import { differenceView } from "./difference.ts"
import { Editor } from "./edit/editor.ts"
import { EventHub } from "./event-hub.ts"
import { LiveWatch } from "./live.ts"
import { OpenSystem, type StudioSystem } from "./open-system.ts"
import { PulseWatch } from "./pulse.ts"
import { Scan } from "./scan.ts"

export interface StudioOptions {
  /** Edits and repairs are allowed. */
  readonly write?: boolean
  /** Secrets can be shown on request. Default: yes. */
  readonly reveal?: boolean
}

/** A system with everything that runs for it. */
export interface StudioPart {
  readonly system: OpenSystem
  readonly scan: Scan
  readonly pulse: PulseWatch
  readonly audit: AuditRun
  readonly live: LiveWatch
  readonly editor: Editor
}

const MOST_ENTRIES = 500
const BEAT_MS = 15_000

export class Studio {
  readonly hub = new EventHub()
  readonly write: boolean
  readonly reveal: boolean
  readonly parts: readonly StudioPart[]
  #log: LogEntry[] = []
  #beat: NodeJS.Timeout

  private constructor(systems: readonly OpenSystem[], { write = false, reveal = true }: StudioOptions) {
    this.write = write
    this.reveal = reveal
    const servers = systems.map(({ given }) => serverOf(given))
    this.parts = systems.map((system, i) => {
      const isShared = servers.filter((server) => server === servers[i]).length > 1
      return {
        system,
        scan: new Scan(system, this.hub),
        pulse: new PulseWatch(system, this.hub),
        audit: new AuditRun(system, this.hub),
        live: new LiveWatch(system, this.hub, isShared),
        editor: new Editor(system),
      }
    })
    this.hub.onChange = () => {
      for (const { live, scan } of this.parts) {
        live.update()
        if (this.hub.watched) scan.noticed()
      }
    }
    for (const { scan, pulse } of this.parts) {
      scan.start()
      pulse.start()
    }
    this.#beat = setInterval(() => this.hub.beat(), BEAT_MS)
    this.#beat.unref()
  }

  static async open(given: readonly StudioSystem[], options: StudioOptions): Promise<Studio> {
    const opened: OpenSystem[] = []
    try {
      for (const system of given) opened.push(await OpenSystem.open(system, freeName(system, opened), options.reveal))
      // A schema that cannot be compared is reported at once, and not by an empty page.
      for (const system of opened) if (system.given.against) differenceView(system)
      return new Studio(opened, options)
    } catch (error) {
      await Promise.all(opened.map((system) => system.close()))
      throw error
    }
  }

  part(name: string): StudioPart {
    const found = this.parts.find(({ system }) => system.name === name)
    if (found === undefined) throw notFound("system of this name")
    return found
  }

  session(): Session {
    const systems = this.parts.map(({ system }) => infoOf(system))
    return { version, write: this.write, reveal: this.reveal, systems }
  }

  get log(): readonly LogEntry[] {
    return this.#log
  }

  note(entry: LogEntry): LogEntry {
    this.#log = [entry, ...this.#log].slice(0, MOST_ENTRIES)
    this.hub.emit("log", entry)
    return entry
  }

  async close(): Promise<void> {
    clearInterval(this.#beat)
    this.hub.close()
    await Promise.all(
      this.parts.map(async ({ system, scan, pulse, audit, live }) => {
        pulse.stop()
        await Promise.all([scan.stop(), audit.stop(), live.stop()])
        await system.close()
      }),
    )
  }
}

/** What is the same for systems on one server. */
const serverOf = ({ server }: StudioSystem): unknown =>
  typeof server === "string" ? server.replace(/\/\d*(\?.*)?$/, "") : server.engine

/** Two systems with the same name are distinguished by a number. */
function freeName({ name, keyspace }: StudioSystem, others: readonly OpenSystem[]): string {
  const wanted = (name ?? keyspace.name ?? "keyspace").replace(/[^\w.-]+/g, "-") || "keyspace"
  const isTaken = (one: string) => others.some((other) => other.name === one)
  let free = wanted
  for (let i = 2; isTaken(free); i++) free = `${wanted}-${i}`
  return free
}

function infoOf(system: OpenSystem): SystemInfo {
  const { name, keyspace, driver, given, databases, model } = system
  return {
    name,
    title: keyspace.name ?? name,
    doc: keyspace.doc,
    server: driver.label,
    ...(given.url !== undefined && { url: given.url }),
    ...(given.against && { against: given.against.label }),
    fingerprint: fingerprint(keyspace),
    ...(given.inference && { inferred: { keys: given.inference.keys, explained: given.inference.explained } }),
    databases: databases.map(({ db }) => ({ db, ...system.databaseNotes(db) })),
    patterns: keyspace.keys.length,
    entities: model.entities.size,
    live: true,
  }
}
