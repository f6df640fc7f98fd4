/* The primary's part of what workers ask one another: it passes a question on to the others,
 * and their answers back. A worker that ends, or says nothing for a while, has no answer. */

import type { WorkerLine, TeamMessage } from "./team.ts"

const PATIENCE_MS = 2000

export interface TeamExchange {
  /** A worker that began; the function to call when it has ended. */
  add(line: WorkerLine): () => void
}

interface Question {
  readonly missing: Set<WorkerLine>
  readonly values: unknown[]
  finish(): void
}

export function exchange(): TeamExchange {
  const lines = new Set<WorkerLine>()
  const open = new Map<number, Question>()
  let last = 0

  const answered = (id: number, by: WorkerLine, value: unknown) => {
    const question = open.get(id)
    if (!question?.missing.delete(by)) return
    if (value !== undefined && value !== null) question.values.push(value)
    if (question.missing.size === 0) question.finish()
  }
  const pass = (from: WorkerLine, { id: asked, topic, about }: TeamMessage & { kind: "ask" | "asked" }) => {
    const id = ++last
    const missing = new Set([...lines].filter((line) => line !== from))
    const values: unknown[] = []
    const finish = () => {
      clearTimeout(timer)
      open.delete(id)
      if (lines.has(from)) from.send({ kind: "replies", id: asked, values })
    }
    const timer = setTimeout(finish, PATIENCE_MS)
    open.set(id, { missing, values, finish })
    for (const line of missing) line.send({ kind: "asked", id, topic, about })
    if (missing.size === 0) finish()
  }
  return {
    add(line) {
      lines.add(line)
      line.receive((message) => {
        if (message.kind === "ask") pass(line, message as TeamMessage & { kind: "ask" })
        else if (message.kind === "reply") answered(message.id, line, message.value)
      })
      return () => {
        lines.delete(line)
        for (const [id] of [...open]) answered(id, line, undefined)
      }
    },
  }
}
