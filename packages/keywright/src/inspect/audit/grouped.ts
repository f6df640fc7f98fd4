/* Questions that one command can ask for many keys or members: EXISTS, MGET and
 * SMISMEMBER. The same key is asked for once. On a cluster they are sent one by one. */

import type { Command, Reply } from "../../driver/driver.ts"

export type OnReply = (reply: Reply) => void
type Ask = (db: number, command: Command, answer: OnReply) => void

const CHUNK = 50

/** Answers by key or member. */
type Open = Map<string, OnReply | OnReply[]>

export class Grouped {
  readonly #cluster: boolean
  #exists = new Map<number, Open>()
  #gets = new Map<number, Open>()
  #members = new Map<number, Map<string, Open>>()

  constructor(cluster: boolean) {
    this.#cluster = cluster
  }

  exists(db: number, key: string, answer: OnReply): void {
    add(openOf(this.#exists, db), key, answer)
  }

  get(db: number, key: string, answer: OnReply): void {
    add(openOf(this.#gets, db), key, answer)
  }

  member(db: number, key: string, member: string, answer: OnReply): void {
    add(openOf(openOf(this.#members, db), key), member, answer)
  }

  /** Asks everything that is open. */
  askAll(ask: Ask): void {
    const [exists, gets, members] = [this.#exists, this.#gets, this.#members]
    if (exists.size + gets.size + members.size === 0) return
    this.#exists = new Map()
    this.#gets = new Map()
    this.#members = new Map()
    const size = this.#cluster ? 1 : CHUNK
    for (const [db, open] of exists) each(open, size, (keys) => askExists(db, keys, open, ask))
    for (const [db, open] of gets) each(open, size, (keys) => askMany(db, ["GET"], ["MGET"], keys, open, ask))
    for (const [db, sets] of members) {
      for (const [key, open] of sets)
        each(open, CHUNK, (some) => askMany(db, ["SISMEMBER", key], ["SMISMEMBER", key], some, open, ask))
    }
  }
}

function openOf<K, V, W>(map: Map<K, Map<V, W>>, key: K): Map<V, W> {
  let found = map.get(key)
  if (found === undefined) map.set(key, (found = new Map()))
  return found
}

function add(open: Open, key: string, answer: OnReply): void {
  const known = open.get(key)
  if (known === undefined) open.set(key, answer)
  else if (Array.isArray(known)) known.push(answer)
  else open.set(key, [known, answer])
}

function each(open: Open, size: number, use: (keys: string[]) => void): void {
  const keys = [...open.keys()]
  for (let at = 0; at < keys.length; at += size) use(keys.slice(at, at + size))
}

function tell(open: Open, key: string, reply: Reply): void {
  const known = open.get(key)!
  if (Array.isArray(known)) for (const answer of known) answer(reply)
  else known(reply)
}

/** EXISTS returns a count: if it shows that all exist, that is enough; otherwise each is asked for. */
function askExists(db: number, keys: readonly string[], open: Open, ask: Ask): void {
  ask(db, ["EXISTS", ...keys], (count) => {
    if (keys.length === 1) tell(open, keys[0]!, count)
    else if (count === keys.length) for (const key of keys) tell(open, key, 1)
    else for (const key of keys) ask(db, ["EXISTS", key], (one) => tell(open, key, one))
  })
}

function askMany(db: number, one: Command, many: Command, keys: readonly string[], open: Open, ask: Ask): void {
  if (keys.length === 1) return ask(db, [...one, keys[0]!], (reply) => tell(open, keys[0]!, reply))
  ask(db, [...many, ...keys], (replies) => {
    if (Array.isArray(replies)) keys.forEach((key, i) => tell(open, key, (replies as readonly Reply[])[i]!))
    // One key that may not be read refuses all of them.
    else if (many.length === 1) for (const key of keys) ask(db, [...one, key], (reply) => tell(open, key, reply))
    else for (const key of keys) tell(open, key, replies)
  })
}
