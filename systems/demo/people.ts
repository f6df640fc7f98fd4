/* The simulated people of one system: what they leave behind first, and what one of them
 * does at a time. */

import type { Caller } from "./caller.ts"
import type { Random } from "./random.ts"

export interface People {
  /** One thing that somebody does. */
  act(): Promise<unknown>
}

/** Fills a system, and returns the people who continue from there. */
export type Play = (caller: Caller, random: Random) => Promise<People>

export const NAMES = "ada ben cleo dan eva finn gia hugo ivy jonas kira leo mia noah ola pia rosa sam tara udo".split(
  " ",
)
