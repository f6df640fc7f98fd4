/* Who can reach the server, which version it is, and whether the schema fits it. */

import type { CheckFinding } from "../check/check-finding.ts"
import { codecsIn } from "../../schema/codecs-in.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { ServerSettings } from "./server-settings.ts"

/** How the server is spoken to; undefined parts are not known. */
export interface ServerConnection {
  readonly tls?: boolean
  /** Loopback or a unix socket: no network in between. */
  readonly local?: boolean
}

export function checkAccess(
  { config, password }: ServerSettings,
  { keys }: Keyspace,
  { tls, local }: ServerConnection,
): CheckFinding[] {
  const found: CheckFinding[] = []
  const open = password === false
  const exposed = config?.["protected-mode"] === "no"
  if (open) {
    found.push({
      code: "DOCTOR.OPEN",
      severity: exposed ? "error" : "warning",
      message: exposed
        ? "anyone who reaches the port may do anything: no password, and protected-mode is no"
        : "the default user has no password; only protected-mode keeps others out",
      why: "Open servers are found and emptied within hours.",
      fix: "Set requirepass or ACL users, and bind only to the addresses that are needed.",
    })
  }
  const secrets = keys.filter(
    (key) =>
      key.secret !== undefined || [...Object.values(key.params), ...codecsIn(key.shape)].some(({ secret }) => secret),
  )
  if (tls === false && local === false) {
    found.push({
      code: "DOCTOR.TLS",
      severity: secrets.length > 0 ? "warning" : "note",
      message: `the connection is not encrypted${secrets.length > 0 ? `, and ${secrets.length} patterns hold secrets` : ""}`,
      fix: "Use rediss://, or a private network that is trusted.",
      ...(secrets.length > 0 && { patterns: secrets.map(({ pattern }) => pattern) }),
    })
  }
  return found
}

export function checkVersion(
  { flavour, version, mode, config, info, clockAheadMs }: ServerSettings,
  { keys, entries }: Keyspace,
): CheckFinding[] {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const found: CheckFinding[] = []
  if (flavour === "redis" && (major < 6 || (major === 6 && minor < 2))) {
    found.push({
      code: "DOCTOR.VERSION",
      severity: "error",
      message: `Redis ${version} lacks commands that Keywright uses`,
      fix: "Use Redis 6.2 or later, or Valkey.",
    })
  } else if (flavour === "redis" && major < 7) {
    found.push({
      code: "DOCTOR.VERSION",
      severity: "warning",
      message: `Redis ${version} no longer gets fixes`,
      fix: "Use Redis 7.2 or later, or Valkey.",
    })
  }
  const numbers = [...new Set(keys.map(({ db }) => db))]
  const numbered = Object.values(entries as Record<string, { db?: number }>).some(({ db }) => db !== undefined)
  const most = mode === "cluster" ? 1 : Number(config?.["databases"] ?? Infinity)
  const beyond = numbered ? numbers.filter((db) => db >= most) : []
  if (beyond.length > 0) {
    found.push({
      code: "DOCTOR.DATABASES",
      severity: "error",
      message: `the schema uses the databases ${beyond.join(", ")}, which this server does not have`,
      why: mode === "cluster" ? "A cluster has database 0 only." : `Its setting databases is ${most}.`,
      fix: mode === "cluster" ? "Use a server without cluster mode." : "Raise databases in its configuration.",
    })
  }
  const [clients, limit] = [Number(info["connected_clients"] ?? 0), Number(config?.["maxclients"] ?? Infinity)]
  if (clients > 0.8 * limit || Number(info["rejected_connections"] ?? 0) > 0) {
    found.push({
      code: "DOCTOR.CLIENTS",
      severity: "warning",
      message: `${clients} of ${limit} connections are in use, ${info["rejected_connections"] ?? 0} were refused`,
      fix: "Raise maxclients, or look for a program that opens too many connections.",
    })
  }
  if (clockAheadMs !== undefined && Math.abs(clockAheadMs) > 2000) {
    found.push({
      code: "DOCTOR.CLOCK",
      severity: "warning",
      message: `the server's clock is ${Math.abs(clockAheadMs)} ms ${clockAheadMs > 0 ? "ahead of" : "behind"} this one`,
      why: "The application sets stamps by its own clock, and the server expires keys by its own.",
      fix: "Synchronise the clocks (NTP).",
    })
  }
  return found
}
