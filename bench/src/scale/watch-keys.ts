/* How often each key is named in commands, also in those of scripts, as MONITOR shows them. */

import { RespClient } from "../../../test/resp-client.ts"

export interface Watched {
  readonly commands: number
  /** By key. */
  readonly keys: ReadonlyMap<string, number>
  /** Batches that a drain put into `viewed:`. */
  readonly puts: number
}

/** During some work. */
export async function watchKeys(ports: readonly number[], work: () => Promise<unknown>): Promise<Watched> {
  const keys = new Map<string, number>()
  let [commands, puts] = [0, 0]
  const watchers = await Promise.all(ports.map((port) => RespClient.connect(port)))
  for (const watcher of watchers) {
    watcher.onPush = (line) => {
      const words = [...String(line).matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((found) => found[1]!)
      const name = words[0]?.toUpperCase() ?? ""
      // Scripts are counted by the commands that they send.
      if (name === "EVAL" || name === "EVALSHA") {
        if (words[3] === "viewed:") puts++
        return
      }
      if (words[1] === undefined) return
      commands++
      keys.set(words[1], (keys.get(words[1]) ?? 0) + 1)
    }
    await watcher.send("MONITOR")
  }
  try {
    await work()
  } finally {
    for (const watcher of watchers) watcher.close()
  }
  return { commands, keys, puts }
}
