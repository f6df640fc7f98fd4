/* An inquiry: what the checks ask and suspect about one page of keys.
 *
 * Questions of all checks go out together, a few large batches for a page. What looks
 * wrong is only a suspicion: everything it rests on is read once more, as one atomic
 * step, and judged again. So a write between two reads of the walk does not produce a
 * finding. */

import { setTimeout as sleep } from "node:timers/promises"
import type { Driver, Reply, Wire } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { finding, type Finding, type Fix, type KeyPart, type ReadCommand } from "./finding.ts"
import type { FindingCodeName } from "./finding-codes.ts"
import { SAFE, SAFE_BYTES } from "../../driver/safe.ts"
import { getOrMake } from "../walk/get-or-make.ts"
import { showWire } from "../walk/wire.ts"
import { type OnReply, Grouped } from "./grouped.ts"
import type { Later } from "./later.ts"
import type { Model, KeyModel } from "../model/model.ts"
import { unmangled } from "../model/reading.ts"

interface WrongPlace {
  readonly code: string
  readonly row: KeyModel
  readonly key: Wire
  readonly place?: KeyPart | undefined
  readonly expected: string
  readonly found: string
  readonly reads: readonly ReadCommand[]
  readonly fix?: Fix
}

export interface Suspicion extends WrongPlace {
  readonly code: FindingCodeName
  /** The element itself: it distinguishes two suspicions about one key. */
  readonly raw?: Reply
  /** Whether what `reads` gave still shows it. Errors among them mean that it cannot be judged. */
  readonly isStillWrong: (replies: readonly Reply[]) => boolean
  /** Its fix is preferred over that of another suspicion with the same identity. */
  readonly knowsFix?: true
  /** How long it may be so: it is judged again after this time. */
  readonly graceMs?: number
}

/** Takes a finding; of two with the same identity, one that `knowsFix` is kept. */
export type ReportFinding = (finding: Finding, identity: string, knowsFix: boolean) => void | Promise<void>

/** Suspicions that are confirmed in one MULTI: small enough not to hold up others. */
const AT_ONCE = 50

export class Inquiry {
  readonly model: Model
  readonly #drivers: ReadonlyMap<number, Driver>
  readonly #report: ReportFinding
  #questions = new Map<number, { commands: ReadCommand["command"][]; answers: OnReply[] }>()
  readonly #grouped: Grouped
  #suspicions: Suspicion[] = []
  #facts: [Finding, string][] = []
  readonly #later: Later | undefined

  /** `later` takes what cannot be judged now; without it, everything is. */
  constructor(model: Model, report: ReportFinding, later?: Later) {
    this.#later = later
    this.model = model
    this.#drivers = new Map(model.databases.map(({ db, driver }) => [db, driver]))
    this.#report = report
    this.#grouped = new Grouped(model.cluster)
  }

  /** Asks together with the others; `answer` may ask further questions. */
  ask(db: number, command: ReadCommand["command"], answer: OnReply): void {
    let open = this.#questions.get(db)
    if (open === undefined) this.#questions.set(db, (open = { commands: [], answers: [] }))
    open.commands.push(command)
    open.answers.push(answer)
  }

  suspect(suspicion: Suspicion): void {
    this.#suspicions.push(suspicion)
  }

  /** Suspects what only a later look can confirm. */
  suspectLater(suspicion: Suspicion): void {
    if (this.#later === undefined) this.suspect(suspicion)
    else this.#later.add(suspicion)
  }

  /** A finding that needs no second look. */
  note(finding: Finding, identity: string): void {
    this.#facts.push([finding, identity])
  }

  /** Whether a key exists: 1 or 0. */
  askExists(db: number, key: string, answer: OnReply): void {
    this.#grouped.exists(db, key, answer)
  }

  /** GET; null also when the key is not a string. */
  askGet(db: number, key: string, answer: OnReply): void {
    this.#grouped.get(db, key, answer)
  }

  /** SISMEMBER. */
  askMember(db: number, key: string, member: string, answer: OnReply): void {
    this.#grouped.member(db, key, member, answer)
  }

  /** Answers every question, then confirms every suspicion. */
  async settle(): Promise<void> {
    for (;;) {
      this.#grouped.askAll((db, command, answer) => this.ask(db, command, answer))
      if (this.#questions.size === 0) break
      const round = this.#questions
      this.#questions = new Map()
      await Promise.all(
        [...round].map(async ([db, { commands, answers }]) => {
          const replies = await this.#drivers.get(db)!.batch(commands, SAFE)
          for (let i = 0; i < answers.length; i++) answers[i]!(replies[i]!)
        }),
      )
    }
    for (const [fact, identity] of this.#facts.splice(0)) await this.#report(fact, identity, false)
    const suspicions = this.#suspicions
    this.#suspicions = []
    for (let at = 0; at < suspicions.length; at += AT_ONCE) await this.#confirm(suspicions.slice(at, at + AT_ONCE))
    if (this.#later?.isFull === true) await this.#later.settle()
  }

  async #confirm(suspicions: readonly Suspicion[]): Promise<void> {
    const replies = await this.#readTogether(suspicions)
    const broken = suspicions.filter((one, i) => isConfirmed(one, replies[i]!))
    const left = broken.filter((one) => !this.#isPostponed(one))
    if (left.length === 0) return
    // What one atomic step shows is a fact. Where that is not possible, a fact is what two looks show.
    const isAtomic =
      this.model.savedAtMs !== undefined ||
      (!this.model.cluster && left.every(({ reads }) => reads.every(({ db }) => db === reads[0]!.db)))
    if (!isAtomic) await sleep(50)
    const again = isAtomic ? left.map((one) => replies[suspicions.indexOf(one)]!) : await this.#readTogether(left)
    for (const [i, one] of left.entries()) {
      if (!isAtomic && !isConfirmed(one, again[i]!)) continue
      await this.#report(findingAt(one, again[i]!), identityOf(one), one.knowsFix === true)
    }
  }

  /**
   * A state that is allowed for a while is judged after that time; in a file, whose clock does not move, it
   * cannot be judged.
   */
  #isPostponed(suspicion: Suspicion): boolean {
    if (suspicion.graceMs === undefined) return false
    if (this.model.savedAtMs !== undefined) return true
    if (this.#later === undefined) return false
    this.#later.add(suspicion)
    return true
  }

  /** What each suspicion rests on: those of one database in one MULTI. */
  async #readTogether(suspicions: readonly Suspicion[]): Promise<Reply[][]> {
    const replies = suspicions.map(({ reads }) => Array.from<Reply>({ length: reads.length }).fill(null))
    const places = new Map<number, [one: number, read: number][]>()
    suspicions.forEach(({ reads }, one) =>
      reads.forEach(({ db }, read) => {
        getOrMake(places, db, () => []).push([one, read])
      }),
    )
    for (const [db, list] of places) {
      const driver = this.#drivers.get(db)!
      const commands = list.map(([one, read]) => suspicions[one]!.reads[read]!.command)
      const found = await (driver.cluster ? driver.batch(commands, SAFE_BYTES) : driver.multi(commands, SAFE_BYTES))
      list.forEach(([one, read], i) => {
        replies[one]![read] = unmangled(found[i]!)
      })
    }
    return replies
  }
}

const isConfirmed = ({ isStillWrong }: Suspicion, replies: readonly Reply[]): boolean =>
  !replies.some((reply) => reply instanceof KeywrightError) && isStillWrong(replies)

/** What distinguishes two suspicions. */
export const identityOf = ({ code, row, key, raw }: Suspicion): string =>
  `${code} ${row.db} ${showWire(key)} ${raw instanceof Uint8Array ? showWire(raw) : String(raw ?? "")}`

/** What is printed of a place that is wrong, and what repair needs to know of it. */
export function findingAt(
  { code, row, key, place, expected, found, reads, fix }: WrongPlace,
  replies: readonly Reply[],
): Finding {
  return finding(
    {
      code,
      db: row.db,
      pattern: row.declared.pattern,
      key: row.show(key),
      ...(place !== undefined && { place }),
      expected,
      found,
      fixable: fix !== undefined && fix.destroys !== true,
    },
    { db: row.db, key, name: row.declared.name, reads, replies, ...(fix !== undefined && { fix }) },
  )
}
