/* Moving the clock as if the time had passed: every key that becomes due on the
 * way expires at its own instant, in order, so that its event and whatever waits
 * for it see the same sequence as in real time. The server alone would expire
 * keys by sampling, some of them seconds later.
 *
 * Costs one walk over the databases in which some key has a deadline. */

/**
 * @import { Admin } from "./admin.js"
 * @import { Clock } from "./clock.js"
 */

const PAGE = 1000
/** Deadlines beyond this number are visited in groups. */
const MOST_STOPS = 2000
/** The period of the server's own housekeeping, which also ends blocked calls that timed out. */
const CRON_MS = 100

/** @param {Admin} admin @param {Clock} clock @param {number} ms */
export function forward(admin, clock, ms) {
  let last = clock.nowMs()
  const until = last + ms
  const due = deadlines(admin, until)
  const group = Math.ceil(due.length / MOST_STOPS) || 1
  for (let index = 0; index < due.length;) {
    let end = Math.min(index + group, due.length)
    const at = due[end - 1]?.at ?? until
    while (end < due.length && due[end]?.at === at) end++
    if (at >= last) {
      clock.jump(at + 1 - last)
      last = at + 1
    }
    admin.send(
      due.slice(index, end).flatMap(({ db, key }) => [
        ["SELECT", db],
        ["PTTL", key],
      ]),
    )
    index = end
  }
  if (until > last) clock.jump(until - last)
  clock.hurry(CRON_MS)
  admin.ask(["SELECT", "0"])
}

/** @param {Admin} admin @param {number} until */
function deadlines(admin, until) {
  /** @type {{ db: string, key: string, at: number }[]} */
  const due = []
  for (const db of databasesWithDeadlines(admin)) {
    admin.ask(["SELECT", db])
    let cursor = "0"
    do {
      const page = /** @type {[string, string[]]} */ (admin.ask(["SCAN", cursor, "COUNT", String(PAGE)]))
      cursor = page[0]
      const found = admin.send(page[1].map((key) => ["PEXPIRETIME", key]))
      for (const [index, key] of page[1].entries()) {
        const at = Number(found[index])
        if (at >= 0 && at <= until) due.push({ db, key, at })
      }
    } while (cursor !== "0")
  }
  return due.sort((one, other) => one.at - other.at)
}

/** @param {Admin} admin */
function databasesWithDeadlines(admin) {
  const info = String(admin.ask(["INFO", "keyspace"]))
  return [...info.matchAll(/^db(\d+):keys=\d+,expires=([1-9]\d*)/gm)].map((found) => String(found[1]))
}
