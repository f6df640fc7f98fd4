/* Edits: read, explained, and carried out once they were confirmed. Records go through
 * their repository, so that indexes stay right; plain keys through their handles. */

import { entityClient, type EntityClient } from "../../../client/entity-client.ts"
import { readyKeys } from "../../../client/call/ready-key.ts"
import { explained, ExplainingLane, type Explanation } from "../../../client/plan/explain.ts"
import { DirectLane, type Lane } from "../../../client/call/lane.ts"
import type { Context } from "../../../client/make-client.ts"
import type { Expectation } from "../../../change/plan/plan.ts"
import type { Driver, Reply, Wire } from "../../../driver/driver.ts"
import { isKeywrightError } from "../../../errors/error.ts"
import { editRefused, notConfirmed, notEditable, StudioRefusal } from "../../../errors/studio.ts"
import { decodedOrNone } from "../../../inspect/model/decoding.ts"
import type { EntityModel } from "../../../inspect/model/entity-model.ts"
import type { KeyModel } from "../../../inspect/model/model.ts"
import { SAFE, SAFE_BYTES } from "../../../driver/safe.ts"
import { spell } from "../../../inspect/model/spell.ts"
import { showUnknown } from "../../../inspect/model/unknown-patterns.ts"
import { asWire, isText, showWire } from "../../../inspect/walk/wire.ts"
import type { AnyCodec } from "../../../schema/codec/codec.ts"
import type { Edit, EditPreview, KeyLink } from "../../api.ts"
import { statusOf } from "../answer.ts"
import { secretFieldsOf } from "../cell.ts"
import { holdsDocument, isDerived } from "./edit-form.ts"
import { readElementRef } from "./element-ref.ts"
import { type EditInput, issuesOf, InputReader } from "./edit-input.ts"
import { chosenTtl, isValue, PlainEdits, textKey, ttlFor, type QueueWrites } from "./edit-plain.ts"
import { carryOutEdit, noted, restsOnElement, restsOnKey } from "./edit-step.ts"
import { lostInJson } from "./lost-in-json.ts"
import type { OpenSystem } from "../open-system.ts"

type AnyEntityClient = EntityClient<Record<string, unknown>, Record<string, unknown>, {}, {}>

type LaneOf = (db: number) => Lane
/** What a repository is asked to do, whichever way its commands go. */
type RecordCall<T = unknown> = (laneOf: LaneOf) => Promise<T>

interface UnderstoodEdit {
  readonly text: string
  /** The key, as the person confirms it. */
  readonly confirm: string
  readonly row: KeyModel | undefined
  readonly db: number
  readonly explain: () => Promise<Explanation>
  /** The key as it is afterwards. */
  readonly run: () => Promise<KeyLink | undefined>
}

const BY = "keywright-studio"

export class Editor {
  readonly #system: OpenSystem
  readonly #plain: PlainEdits
  readonly #context: Omit<Context, "laneOf">

  constructor(system: OpenSystem) {
    this.#system = system
    const ready = readyKeys(system.keyspace.keys)
    this.#plain = new PlainEdits(ready)
    this.#context = {
      keyspace: system.keyspace,
      ready,
      mode: "direct",
      clock: () => new Date(),
      shapes: new Map(),
    }
  }

  async preview(edit: Edit): Promise<EditPreview> {
    return this.#told(edit, async () => {
      const ready = await this.#ready(edit)
      const { writes, script } = await ready.explain()
      const hides = ready.row === undefined || this.#system.holdsSecrets(ready.row)
      const shown = writes.length > 0 ? writes : script ? [[script.name.toUpperCase(), ...script.keys]] : []
      return {
        text: ready.text,
        confirm: ready.confirm,
        commands: shown.slice(0, 100).map((words) => this.#showWords(words, ready.db, hides)),
      }
    })
  }

  async apply(edit: Edit, confirm: string): Promise<{ text: string; link: KeyLink | undefined }> {
    return this.#told(edit, async () => {
      const ready = await this.#ready(edit)
      if (confirm !== ready.confirm) throw notConfirmed(ready.confirm)
      return { text: ready.text, link: await ready.run() }
    })
  }

  async #ready(given: Edit): Promise<UnderstoodEdit> {
    if (given.op === "create") return this.#create(given)
    if (given.op === "change" && Object.keys(given.fields).length === 0)
      throw editRefused("there is nothing to change", [])
    const key = this.#system.keyOf(given.db, given.ref)
    const edit = "seen" in given ? { ...given, seen: this.#system.openSeen(given.db, key, given.seen) } : given
    const owner = this.#system.ownerOf(edit.db, key)
    const link = this.#system.link(edit.db, key, owner?.row)
    if (owner === undefined) {
      if (edit.op !== "delete") throw notEditable(link.key, "no pattern owns it, so what it may hold is unknown")
      return this.#deletePlain(edit, key, undefined)
    }
    const { row } = owner
    if (isDerived(row)) throw notEditable(link.key, "it follows from other keys; change those")
    if (edit.op === "change" && holdsDocument(row) && !("value" in edit.fields)) await this.#refuseLossy(row, key, link)
    const entity = row.declared.entity && this.#system.model.entities.get(row.declared.entity.name)
    if (entity !== undefined) return this.#record(edit, entity, owner.params, link)
    return edit.op === "delete" ? this.#deletePlain(edit, key, row) : this.#plainEdit(edit, textKey(key), row)
  }

  /** The fields that are not changed must be what they were: an edit prints the whole document again. */
  async #refuseLossy({ declared, db }: KeyModel, key: Wire, link: KeyLink): Promise<void> {
    const codec = declared.shape["value"] as AnyCodec | undefined
    if (declared.kind !== "string" || codec?.document?.parse !== undefined) return
    const stored = await this.#driver(db).send(["GET", key], SAFE_BYTES)
    const lost = stored === null ? undefined : lostInJson(showWire(asWire(stored)))
    if (lost !== undefined) throw notEditable(link.key, `${lost}, so an edit would change it`)
  }

  // ── records ────────────────────────────────────────────────────────────────

  #repository(entity: EntityModel, params: Readonly<Record<string, unknown>>, laneOf: LaneOf): AnyEntityClient {
    const bound = Object.fromEntries(entity.bound.map((name) => [name, params[name]]))
    return entityClient({ ...this.#context, laneOf }, entity.name, bound) as AnyEntityClient
  }

  #laneOf = (db: number): Lane => new DirectLane(this.#driver(db))

  /** A keyspace that names no databases is where its address says. */
  #driver(db: number): Driver {
    const { databases } = this.#system
    return databases.length === 1 ? databases[0]!.driver : this.#system.driverOf(db)
  }

  #explain(call: RecordCall, db: number): Promise<Explanation> {
    let one: ExplainingLane | undefined
    const laneOf = (of: number) => (one ??= new ExplainingLane(this.#laneOf(of)))
    laneOf(db)
    return explained(
      () => one,
      () => call(laneOf),
    )
  }

  #record(
    edit: Exclude<Edit, { op: "create" }>,
    entity: EntityModel,
    params: Readonly<Record<string, string>>,
    link: KeyLink,
  ): UnderstoodEdit {
    const id = params[entity.idField]!
    const row = entity.record
    const decoded = this.#decoded(row, params)
    if (edit.op === "delete") {
      const notes = { ...versionOf(edit.seen), by: BY }
      const call: RecordCall = (laneOf) => this.#repository(entity, decoded, laneOf).delete(id, notes)
      return this.#called(row, `delete ${entity.name} ${link.key}`, link.key, call, () => undefined)
    }
    if (edit.op !== "change") throw notEditable(link.key, "it is a record; its fields are changed")
    const patch = this.#patch(entity, edit.fields)
    const notes = { ...versionOf(edit.seen), by: BY }
    const call: RecordCall = (laneOf) => this.#repository(entity, decoded, laneOf).update(id, patch, notes)
    const text = `change ${link.key}: ${Object.keys(edit.fields).join(", ")}`
    return this.#called(row, text, link.key, call, () => link)
  }

  /** An edit that is a call of a repository; `after` is the key as it is then. */
  #called<T>(
    row: KeyModel,
    text: string,
    confirm: string,
    call: RecordCall<T>,
    after: (result: T) => KeyLink | undefined,
  ): UnderstoodEdit {
    const { db } = row.declared
    const run = async () => after(await call(this.#laneOf))
    return { text, confirm, row, db, explain: () => this.#explain(call, db), run }
  }

  #createRecord(edit: Extract<Edit, { op: "create" }>, entity: EntityModel): UnderstoodEdit {
    const row = entity.record
    const reading = new InputReader()
    const asked = row.params.filter((name) => name !== entity.idField || edit.params[name] !== undefined)
    const params = Object.fromEntries(
      asked.map((name) => [name, reading.value(row.declared.params[name]!, edit.params[name], `params.${name}`)]),
    )
    if (entity.entity.ids === "given" && edit.params[entity.idField] === undefined)
      reading.issues.push({ field: `params.${entity.idField}`, message: "it is missing" })
    reading.done()
    const given = params[entity.idField]
    const value = { ...this.#patch(entity, edit.fields), ...(given !== undefined && { [entity.idField]: given }) }
    const life = chosenTtl(row, edit.ttlMs)
    const call: RecordCall<Record<string, unknown>> = (laneOf) =>
      this.#repository(entity, params, laneOf).create(value, { by: BY, ...life })
    const texts = { ...edit.params }
    const shown = row.params.every((name) => texts[name] !== undefined)
      ? row.show(spell(row, texts))
      : row.declared.pattern.replace(/\{(\w+)\}/g, (whole, name: string) =>
          this.#system.secretParams(row).has(name) ? whole : (texts[name] ?? whole),
        )
    return this.#called(row, `create ${entity.name} ${shown}`, shown, call, (made) => {
      const id = String(made[entity.idField])
      return this.#system.link(row.db, spell(row, { ...texts, [entity.idField]: id }), row)
    })
  }

  /** Fields of a form as the repository takes them; null removes one. */
  #patch({ entity }: EntityModel, fields: EditInput): Record<string, unknown> {
    if (entity.store.as === "json")
      return Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, value === null ? undefined : value]),
      )
    const reading = new InputReader()
    const patch = reading.fields(entity.store.fields, fields)
    reading.done()
    return patch
  }

  #decoded({ declared }: KeyModel, params: Readonly<Record<string, string>>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, declared.params[name]!.decode(text)]))
  }

  // ── plain keys ─────────────────────────────────────────────────────────────

  async #create(edit: Extract<Edit, { op: "create" }>): Promise<UnderstoodEdit> {
    const row = this.#system.rowNamed(edit.pattern)
    if (isDerived(row)) throw notEditable(row.declared.pattern, "it follows from other keys; change those")
    const entity = row.declared.entity && this.#system.model.entities.get(row.declared.entity.name)
    if (entity !== undefined) return this.#createRecord(edit, entity)
    const key = this.#plain.keyOf(row, edit.params)
    const write = this.#plain.create(row, key, edit)
    return this.#compared(row, row.db, key, write, {
      text: `create ${row.show(key)}`,
      rest: async (driver) => {
        if ((await driver.send(["EXISTS", key], SAFE)) === 1)
          throw editRefused(`${row.show(key)} exists already`, [{ field: "params", message: "the key exists already" }])
        return [{ read: ["EXISTS", key], is: 0 }]
      },
    })
  }

  async #plainEdit(
    edit: Extract<Edit, { op: "change" | "put" | "remove" }>,
    key: string,
    row: KeyModel,
  ): Promise<UnderstoodEdit> {
    const shown = row.show(key)
    const driver = this.#system.driverOf(edit.db)
    const type = String(await driver.send(["TYPE", key], SAFE))
    if (type !== "none" && type !== row.type) throw notEditable(shown, `it is a ${type}, and should be a ${row.type}`)
    const ttl = ttlFor(row, type === "none" ? undefined : Number(await driver.send(["PTTL", key], SAFE)))
    if (edit.op === "change") {
      const before = isValue(row) ? decodedNow(row, await driver.send(["GET", key], SAFE_BYTES)) : undefined
      const write = this.#plain.change(row, key, edit.fields, before, ttl)
      return this.#compared(row, edit.db, key, write, {
        text: `change ${shown}: ${Object.keys(edit.fields).join(", ")}`,
        rest: (there) => restsOnKey(there, key, edit.seen, shown),
      })
    }
    const opened = edit.element === undefined ? undefined : this.#system.elementOf(edit.db, key, row, edit.element)
    const ref = opened === undefined ? undefined : readElementRef(row.declared.kind, opened)
    const element = ref?.element
    const write =
      edit.op === "put"
        ? this.#plain.put(row, key, { fields: edit.fields, ...(element !== undefined && { element }) }, ttl)
        : this.#plain.remove(row, key, element!)
    return this.#compared(row, edit.db, key, write, {
      text: `${edit.op === "put" ? (element === undefined ? "add to" : "change an element of") : "remove an element of"} ${shown}`,
      rest: async (there) => (ref === undefined ? [] : restsOnElement(there, row, key, ref, shown)),
    })
  }

  #deletePlain(edit: Extract<Edit, { op: "delete" }>, key: Wire, row: KeyModel | undefined): UnderstoodEdit {
    const shown = row === undefined ? showUnknown(key) : row.show(key)
    const write: QueueWrites = (lane) => [lane.send(["UNLINK", key])]
    return this.#compared(row, edit.db, key, write, {
      text: `delete ${shown}`,
      rest: (there) => restsOnKey(there, key, edit.seen, shown),
      isGone: true,
    })
  }

  /** An edit that is carried out only if what it rests on is still so, compared in the same step. */
  #compared(
    row: KeyModel | undefined,
    db: number,
    key: Wire,
    write: QueueWrites,
    how: { text: string; rest: (driver: Driver) => Promise<Expectation[]>; isGone?: boolean },
  ): UnderstoodEdit {
    const link = this.#system.link(db, key, row)
    const driver = this.#system.driverOf(db)
    return {
      text: how.text,
      confirm: link.key,
      row,
      db,
      explain: async () => {
        await how.rest(driver)
        const { commands } = await noted(driver, write)
        return {
          reads: [],
          writes: commands.map((words) => words.map((word) => (isText(word) ? word : showWire(word)))),
        }
      },
      run: async () => {
        const expects = await how.rest(driver)
        const { commands, scripted } = await noted(driver, write)
        if (scripted) await Promise.all(write(new DirectLane(driver)))
        else await carryOutEdit(this.#system, { db, key: link.key, why: how.text, expects, commands })
        return how.isGone ? undefined : link
      },
    }
  }

  /** Errors of the toolkit as answers that name the fields; where there are secrets, none of them quotes a value. */
  async #told<T>(edit: Edit, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isKeywrightError(error) || error instanceof StudioRefusal) throw error
      const row = this.#rowOf(edit)
      const isOpen = row !== undefined && !this.#system.holdsSecrets(row)
      const secret: ReadonlySet<string> = row === undefined ? new Set() : secretFieldsOf(this.#system, row)
      const issues = issuesOf(error).map(({ field, message }) =>
        isOpen || !field.split(".").some((name) => secret.has(name))
          ? { field, message }
          : { field, message: "it does not fit" },
      )
      const quotes = !isOpen && /^(VALUE|CODEC)\./.test(error.code)
      const message = quotes ? "what is there, or was given, does not fit the schema" : error.message
      if (issues.length > 0) throw editRefused(message, issues)
      throw quotes ? new StudioRefusal(statusOf(error), error.code, message) : error
    }
  }

  #rowOf(edit: Edit): KeyModel | undefined {
    if (edit.op === "create") return this.#system.model.keys.get(edit.pattern)
    return this.#system.ownerOf(edit.db, this.#system.keyOf(edit.db, edit.ref))?.row
  }

  #showWords([name = "", key, ...rest]: readonly string[], db: number, hides: boolean): string {
    const shown = key === undefined ? [] : [this.#system.link(db, key).key]
    const args = hides
      ? rest.length > 0
        ? ["…"]
        : []
      : rest.map((word) => (word.length > 80 ? `${word.slice(0, 80)}…` : word))
    return [name, ...shown, ...args].join(" ").replace(/kwid[0-9a-f]{24}/g, "{new id}")
  }
}

/** What was seen of a very long record is not all of it, and no version of the repository's. */
const versionOf = (seen: string): { version?: string } => (/^[0-9a-f]{16}$/.test(seen) ? { version: seen } : {})

/** Undefined also when it does not decode: then it is replaced as a whole. */
const decodedNow = (row: KeyModel, reply: Reply): unknown =>
  reply === null ? undefined : decodedOrNone(row.declared.shape["value"] as AnyCodec, asWire(reply))
