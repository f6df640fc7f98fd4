/* What ties a journal to its plan: the digest of the plan's head, which its first line names, and the
 * digest of what its other lines are about, which their signatures cover: what actions do and
 * what undoes that. How an action is explained, and what it rests on, is checked when a plan
 * is loaded, and a journal says nothing about it.
 *
 * A plan can have a hundred thousand actions. Written as JSON, they would take longer than
 * carrying them out; so their numbers are hashed (how many words there are, and how long each
 * is), and then the words one after another: nothing in a word can pass for a number. A text that
 * repeats the one in the same place of the previous command, as the key and the member of an undo
 * do, is written as a marker. The actions of a batch are hashed when it is sent, while the
 * server works on the one before. */

import { createHash } from "node:crypto"
import { type Action, asSaved, type ChangePlan } from "../plan/plan.ts"
import type { Word } from "../plan/word.ts"

/** For a text that the command before has in the same place. No text is as long as this. */
const SAME = 2 ** 31 - 1

export function headDigest(plan: ChangePlan): string {
  const { actions, ...head } = asSaved(plan)
  return createHash("sha256")
    .update(JSON.stringify([head, actions.length]))
    .digest("hex")
}

export function actionsDigest(actions: readonly Action[], chosen: readonly number[]): string {
  const numbers: number[] = []
  let texts = ""
  let before: readonly Word[] = []
  const addCommands = (commands: readonly (readonly Word[])[]): void => {
    numbers.push(commands.length)
    for (const words of commands) {
      numbers.push(words.length)
      for (let i = 0; i < words.length; i++) {
        const word = words[i]!
        if (typeof word !== "string") {
          texts += word.base64
          numbers.push(-1 - word.base64.length)
        } else if (word === before[i]) numbers.push(SAME)
        else {
          texts += word
          numbers.push(word.length)
        }
      }
      before = words
    }
  }
  for (const number of chosen) {
    const { db, commands, undo } = actions[number]!
    numbers.push(db)
    addCommands(commands)
    addCommands(undo)
  }
  return createHash("sha256")
    .update(new Int32Array([numbers.length]))
    .update(new Int32Array(numbers))
    .update(texts)
    .digest("base64url")
}
