/* The processes that serve one port together (`--workers`), as each of them sees the others.
 * Nearly everything is shared through Redis; what only the memory of a process knows (whom it
 * answered just now, what it counted) is asked for, through the primary. */

export interface Team {
  readonly size: number
  /** Asks the others; the answers of those who are there. */
  ask(topic: string, about?: unknown): Promise<unknown[]>
  answer(topic: string, reply: (about: unknown) => unknown): void
}

/** A server without workers. */
export const alone: Team = { size: 1, ask: async () => [], answer: () => {} }

/** Between a worker and the primary. */
export type TeamMessage =
  | { readonly kind: "ask" | "asked"; readonly id: number; readonly topic: string; readonly about: unknown }
  | { readonly kind: "reply"; readonly id: number; readonly value: unknown }
  | { readonly kind: "replies"; readonly id: number; readonly values: readonly unknown[] }

/** One end of the line to the primary. */
export interface WorkerLine {
  send(message: TeamMessage): void
  receive(listener: (message: TeamMessage) => void): void
}

export function teamOver(line: WorkerLine, size: number): Team {
  const replies = new Map<string, (about: unknown) => unknown>()
  const waiting = new Map<number, (values: unknown[]) => void>()
  let last = 0
  line.receive((message) => {
    if (message.kind === "replies") {
      waiting.get(message.id)?.([...message.values])
      waiting.delete(message.id)
    } else if (message.kind === "asked") {
      const { id, topic, about } = message
      void Promise.resolve(about)
        .then((given) => replies.get(topic)?.(given))
        .catch(() => undefined)
        .then((value) => line.send({ kind: "reply", id, value }))
    }
  })
  return {
    size,
    ask: (topic, about) =>
      new Promise((resolve) => {
        const id = ++last
        waiting.set(id, resolve)
        line.send({ kind: "ask", id, topic, about })
      }),
    answer: (topic, reply) => void replies.set(topic, reply),
  }
}
