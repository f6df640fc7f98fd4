/* A connection that the primary has passed to a worker is the worker's once it has said so. Node
 * forgets those in between when the worker dies: nobody would answer them or close them, and their
 * clients would wait forever. Here they are remembered, and closed with the worker. */

import type { Worker } from "node:cluster"

/** What Node passes along with a message: the connection. */
interface Handle {
  close(): void
}

/** What Node's primary and worker say to each other of a connection. */
interface Note {
  readonly seq?: number
  readonly ack?: number
}

export function closeWhatIsLost(worker: Worker): void {
  const underWay = new Map<number, Handle>()
  const child = worker.process
  const send = child.send.bind(child) as (...words: unknown[]) => boolean
  child.send = (...words: unknown[]) => {
    const [message, handle] = words as [Note | undefined, Partial<Handle> | undefined]
    if (message?.seq !== undefined && typeof handle?.close === "function") underWay.set(message.seq, handle as Handle)
    return send(...words)
  }
  child.on("internalMessage", ({ ack }: Note) => {
    if (ack !== undefined) underWay.delete(ack)
  })
  worker.on("exit", () => {
    for (const handle of underWay.values()) handle.close()
    underWay.clear()
  })
}
