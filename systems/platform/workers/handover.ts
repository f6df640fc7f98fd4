/* What a worker gets from the primary when it is started, beside the same command line. */

import cluster from "node:cluster"
import type { ServerOptions } from "../server.ts"
import type { ServePlan } from "../options.ts"
import { teamOver, type TeamMessage, type Team } from "./team.ts"

export interface Handover {
  /** 0 is the first, which has the jobs. */
  readonly index: number
  /** The very first: it writes what a demonstration needs. */
  readonly isNew: boolean
  readonly size: number
  readonly redis: string
  readonly database: string
  /** By how much the application's clock is ahead: a worker that starts later has the same time. */
  readonly aheadMs: number
}

/** The plan of a worker, by what it was handed over; without a primary, the plan as it is. */
export function workersPlan(plan: ServePlan): ServePlan & Pick<ServerOptions, "team" | "hasJobs" | "fillsDemo"> {
  const given = cluster.isWorker ? process.env["KEYWRIGHT_WORKER"] : undefined
  if (given === undefined) return plan
  delete process.env["KEYWRIGHT_WORKER"]
  const { index, isNew, size, redis, database, aheadMs } = JSON.parse(given) as Handover
  const clock = plan.clock && new Date(Date.now() + aheadMs)
  return { ...plan, redis, database, clock, team: teamOf(size), hasJobs: index === 0, fillsDemo: isNew }
}

const teamOf = (size: number): Team =>
  teamOver(
    {
      send: (message) => void (process.connected && process.send!(message)),
      receive: (listener) => void process.on("message", (message: TeamMessage) => listener(message)),
    },
    size,
  )
