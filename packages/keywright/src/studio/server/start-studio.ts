/* Starts the studio: opens the systems, listens on the loopback address, and says where. */

import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import { portRefused, requestRefused } from "../../errors/studio.ts"
import { admit } from "./admit.ts"
import { failureOf } from "./answer.ts"
import { Guard } from "./guard.ts"
import { httpApp } from "./http-app.ts"
import { openServer } from "./open-server.ts"
import type { StudioSystem } from "./open-system.ts"
import { readPageFiles } from "./page-files.ts"
import { Studio, type StudioOptions } from "./studio.ts"

/**
 * What `startStudio` takes.
 * @example
 * const options: StartStudioOptions = { systems: [{ keyspace: shop, server: "redis://localhost:6379" }], port: 4400 }
 * const studio = await startStudio(options)
 */
export interface StartStudioOptions extends StudioOptions {
  readonly systems: readonly StudioSystem[]
  /** 0, the default: one that is free. */
  readonly port?: number
  /** The folder of the built page, instead of this package's. */
  readonly page?: string
  /** Called with internal errors of the studio. */
  readonly onError?: (error: unknown) => void
}

/**
 * What `startStudio` returns.
 * @example
 * const cartsIn = (studio: RunningStudio) => studio.link("/browse/shop/cart")
 */
export interface RunningStudio {
  /** With the token: it works once. */
  readonly url: string
  readonly port: number
  /** Another link, which works once as well; `view` is the part after `#`: `"/browse/shop/cart"`. */
  link(view?: string): string
  close(): Promise<void>
}

const HOST = "127.0.0.1"

/**
 * Serves the studio for these systems, on this machine only, until `close`.
 * @example
 * const studio = await startStudio({ systems: [{ keyspace: shop, server: "redis://localhost:6379" }] })
 * console.log(studio.url)
 */
export async function startStudio(options: StartStudioOptions): Promise<RunningStudio> {
  const studio = await Studio.open(options.systems, options)
  try {
    const server = openServer()
    const port = await listen(server, options.port ?? 0)
    const guard = new Guard(port)
    const app = httpApp(studio, guard, {
      files: readPageFiles(options.page),
      ...(options.onError && { onError: options.onError }),
    })
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: () => refused() })
    server.on("request", (incoming, outgoing) => {
      if (admit(guard, incoming, outgoing)) void listener(incoming, outgoing)
    })
    const link = (view?: string) =>
      `http://${HOST}:${port}/?token=${guard.newToken()}${view === undefined ? "" : `#${view}`}`
    return {
      url: link(),
      port,
      link,
      close: async () => {
        await studio.close()
        await new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        })
      },
    }
  } catch (error) {
    await studio.close()
    throw error
  }
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", (error) => reject(portRefused(port, error)))
    server.listen(port, HOST, () => {
      server.removeAllListeners("error")
      resolve((server.address() as AddressInfo).port)
    })
  })

/** A request that cannot even be read as one. */
const refused = (): Response => Response.json(failureOf(requestRefused(400)), { status: 400 })
