/* The digest of a plan, which ties its journal to it: of its head, and of what
 * each action does and what undoes that. How an action is explained, and what it rests on,
 * is checked when a plan is loaded, and a journal says nothing about it.
 *
 * A plan can have a hundred thousand actions. Written as JSON, they would take longer than
 * carrying them out; so their words are hashed one after another, and then their numbers:
 * how many there are, and how long each is. */

import { createHash, type Hash } from "node:crypto"
import { type Action, asSaved, type ChangePlan } from "./plan.ts"
import type { Word } from "./word.ts"

const ACTIONS_AT_ONCE = 500

export function planDigest(plan: ChangePlan): string {
  const { actions, ...head } = asSaved(plan)
  const hash = createHash("sha256").update(JSON.stringify([head, actions.length]))
  for (let at = 0; at < actions.length; at += ACTIONS_AT_ONCE) addActions(actions.slice(at, at + ACTIONS_AT_ONCE), hash)
  return hash.digest("hex")
}

function addActions(actions: readonly Action[], hash: Hash): void {
  const texts: string[] = []
  const numbers: number[] = []
  const addCommands = (commands: readonly (readonly Word[])[]): void => {
    numbers.push(commands.length)
    for (const words of commands) {
      numbers.push(words.length)
      for (const word of words) {
        const isText = typeof word === "string"
        const text = isText ? word : word.base64
        texts.push(text)
        numbers.push(isText ? text.length : -1 - text.length)
      }
    }
  }
  for (const { db, commands, undo } of actions) {
    numbers.push(db)
    addCommands(commands)
    addCommands(undo)
  }
  hash.update(texts.join("")).update(Int32Array.from(numbers))
}
