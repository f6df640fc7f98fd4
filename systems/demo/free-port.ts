/* A port that nobody listens on: the one that is wanted, or the next above it that is free. */

import { createServer } from "node:net"

const HOST = "127.0.0.1"
const MOST_TRIES = 100

/** 0: any. Throws when a hundred in a row are taken. */
export async function freePort(wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + MOST_TRIES && port <= 65_535; port++) {
    const found = await tryPort(port)
    if (found !== undefined) return found
  }
  throw new Error(`the ports from ${wanted} to ${wanted + MOST_TRIES - 1} are taken: choose another with --port`)
}

const tryPort = (port: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" || error.code === "EACCES" ? resolve(undefined) : reject(error),
    )
    server.listen(port, HOST, () => {
      const { port: found } = server.address() as { port: number }
      server.close(() => resolve(found))
    })
  })
