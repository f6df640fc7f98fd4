/* The pages of a server: their files, what they add to its app, and who may see what a
 * request did to Redis. That is recorded only in a demonstration, or for those who have the
 * admin token, and only for requests that ask for it:
 *
 *   X-Show-Commands: 1              in a demonstration
 *   X-Show-Commands: <admin token>  elsewhere
 *   X-Request-Id: <id>              under which it can be fetched then */

import type { HttpBindings } from "@hono/node-server"
import type { Hono } from "hono"
import type { Keyspace, OnSent } from "keywright"
import type { IncomingMessage } from "node:http"
import { isSameSecret } from "../http/auth.ts"
import type { EndpointContext } from "../http/endpoint.ts"
import type { AdminAuth } from "../limits/admin.ts"
import type { ServerOptions } from "../server.ts"
import type { System } from "../system.ts"
import type { Team } from "../workers/team.ts"
import { readPageFiles } from "./page-files.ts"
import { addPages } from "./page-routes.ts"
import { recorder } from "./recorder.ts"
import { explainerOf } from "./explained-request.ts"

type PlanOfPages = Pick<ServerOptions, "demo" | "adminToken" | "settings" | "pagesFolder" | "demoPages">

export interface OpenPages {
  /** For the clients of the systems; undefined where nobody may look. */
  readonly onSent: OnSent | undefined
  recordingOf(system: string): EndpointContext["recording"]
  adderFor(systems: readonly System[]): ((app: Hono<{ Bindings: HttpBindings }>) => void) | undefined
}

const SHOW = "x-show-commands"
const ID = /^[\w.-]{16,64}$/

export function openPages(plan: PlanOfPages, team: Team, admin: AdminAuth): OpenPages {
  const { demo, adminToken, settings, pagesFolder, demoPages } = plan
  const files = readPageFiles(pagesFolder)
  const records = recorder(team)
  const isOpen = files !== undefined && (demo || adminToken !== undefined)

  const mayLook = (request: IncomingMessage): boolean => {
    const given = request.headers[SHOW]
    if (typeof given !== "string") return false
    if (demo) return true
    try {
      admin.listen(request)
    } catch {
      return false // Too many wrong ones came from there.
    }
    if (adminToken !== undefined && isSameSecret(given, adminToken)) return true
    admin.refused(request)
    return false
  }
  return {
    onSent: isOpen ? records.onSent : undefined,
    recordingOf(system) {
      if (!isOpen) return undefined
      return (request) => {
        const id = request.headers["x-request-id"]
        if (typeof id !== "string" || !ID.test(id) || !mayLook(request)) return undefined
        return (route, work) => records.record(id, system, route, work)
      }
    },
    adderFor(systems) {
      if (files === undefined) return undefined
      const isAlone = systems.length === 1
      return (app) =>
        addPages(app, {
          files,
          systems: systems.map((system) => ({
            name: system.name,
            doc: system.doc,
            prefix: isAlone ? "" : `/${system.name}`,
            explain: explainerOf(system.schema(settings[system.name] as never) as Keyspace, system.document),
          })),
          recorder: records,
          mayLook,
          isDemo: demo,
          demo: demoPages,
        })
    },
  }
}
