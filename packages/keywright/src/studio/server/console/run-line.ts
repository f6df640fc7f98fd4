/* One line of the console: understood, permitted, confirmed where it writes, and run. */

import { createHash } from "node:crypto"
import type { Reply } from "../../../driver/driver.ts"
import { SAFE_BYTES } from "../../../driver/safe.ts"
import { asWire, showWire } from "../../../inspect/walk/wire.ts"
import { notConfirmed } from "../../../errors/studio.ts"
import type { ConsoleAnswer, ConsoleReply } from "../../api.ts"
import type { OpenSystem } from "../open-system.ts"
import { permit } from "./permit.ts"
import { type LinkOf, showReply } from "./show-reply.ts"
import { understand, type Understood } from "./understand.ts"

export interface ConsoleLine {
  readonly db: number
  readonly line: string
  readonly confirm?: string | undefined
}

interface Running {
  /** Edits are allowed. */
  readonly write: boolean
  /** Called around a command that writes, with what may be said about it. */
  readonly logged: <T extends object>(text: string, work: () => Promise<T>) => Promise<T>
}

export async function runLine(
  system: OpenSystem,
  { db, line, confirm }: ConsoleLine,
  running: Running,
): Promise<ConsoleAnswer> {
  const understood = understand(line)
  const { name, command } = understood
  const { keys, kept } = await permit(system, db, understood, running.write)
  if (kept.length > 0)
    return {
      outcome: "editor",
      text: "The schema keeps this together with other keys: the editor changes all of them.",
      keys: kept,
    }
  const run = () => send(system, db, understood)
  if (command.access === "read") return run()
  const wanted = confirmOf(system, db, understood)
  const text = `${name} ${keys.map(({ key }) => key).join(" ")}`
  if (confirm === undefined)
    return { outcome: "confirm", confirm: wanted, text: `${text}: as typed, without the checks of the schema`, keys }
  if (confirm !== wanted) throw notConfirmed("the same command again")
  return running.logged(text.slice(0, 300), run)
}

/** What confirms exactly these words, in this database. */
const confirmOf = ({ name }: OpenSystem, db: number, { words }: Understood): string =>
  createHash("sha256")
    .update(JSON.stringify([name, db, ...words.map((word) => word.toString("base64"))]))
    .digest("base64url")

async function send(system: OpenSystem, db: number, understood: Understood): Promise<ConsoleAnswer> {
  const { command, words } = understood
  const started = performance.now()
  const options = command.access === "read" ? SAFE_BYTES : { bytes: true }
  const reply = await system.driverOf(db).send(
    words.map((word) => asWire(word)),
    options,
  )
  const tookMs = Math.round(10 * (performance.now() - started)) / 10
  return { outcome: "done", access: command.access, reply: shownReply(system, db, understood, reply), tookMs }
}

function shownReply(system: OpenSystem, db: number, { name, words }: Understood, reply: Reply): ConsoleReply {
  if (name === "RANDOMKEY") return showReply(reply, (key) => system.link(db, key))
  if (name !== "SCAN" || !Array.isArray(reply)) return showReply(reply)
  const [cursor, keys] = reply as unknown as readonly [Reply, Reply]
  // With a pattern, even that a key is there would say what its secret begins with.
  const isSearched = words.some((word) => word.toString("latin1").toUpperCase() === "MATCH")
  const linkOf: LinkOf = (key) => {
    const link = system.link(db, key)
    return isSearched && link.key !== showWire(key) ? undefined : link
  }
  return { is: "list", items: [showReply(cursor), showReply(keys, linkOf)], more: 0 }
}
