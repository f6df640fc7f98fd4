/* An endless, repeatable sequence of commands, in groups that belong together: mostly
 * single ones of one family or another, some scripts, some transactions. */

import { fill, spoil } from "./arguments.ts"
import type { Random } from "../random.ts"
import { blocking, expiry, generic, hashes, lists, scripts, sets, streams, strings, zsets } from "./templates.ts"

const families = [strings, hashes, lists, sets, zsets, streams, generic, expiry]

export function* commands(random: Random): Generator<string[][], never> {
  // One family leads for a while, so that its keys grow before others overwrite them.
  let leading = random.pick(families)
  for (;;) {
    if (random.chance(0.01)) leading = random.pick(families)
    if (random.chance(0.03)) yield transaction(random)
    else if (random.chance(0.05)) yield [script(random)]
    else yield [single(random, leading)]
  }
}

/** Without ALPHA it stores something else where an empty string is sorted: a known difference that would spread. */
const SPOILT_DIFFERS = /^SORT .*STORE/

function single(random: Random, leading: readonly string[]): string[] {
  const command = fill(random.pick(random.chance(0.6) ? leading : random.pick(families)), random)
  return random.chance(0.02) && !SPOILT_DIFFERS.test(command.join(" ")) ? spoil(command, random) : command
}

function script(random: Random): string[] {
  return ["EVAL", random.pick(scripts), "2", ...fill("key key val val", random)]
}

function transaction(random: Random): string[][] {
  const queued = Array.from({ length: random.int(6) }, () => {
    if (random.chance(0.1)) return script(random)
    return fill(random.pick(random.chance(0.2) ? blocking : random.pick(families)), random)
  })
  const watched = random.chance(0.3) ? [fill("WATCH key", random)] : []
  return [...watched, ["MULTI"], ...queued, [random.chance(0.9) ? "EXEC" : "DISCARD"]]
}
