/* What can be wrong with where a client is to connect. */

import { KeywrightError, SchemaError } from "./error.ts"

export const addressRequired = () =>
  new KeywrightError("CONNECT.ADDRESS_REQUIRED", "no server was named, and NODE_ENV is production", {
    why: "Without an address the data would live in this process's memory and be lost when it ends.",
    fix: 'Set REDIS_URL, pass an address to connect(), or pass "memory:" if you want that.',
  })

export const keepsNothing = (scheme: string) =>
  new KeywrightError("CONNECT.KEEPS_NOTHING", `${JSON.stringify(scheme)} takes no folder: it keeps nothing on disk`, {
    why: "It is for tests and demos: what it holds ends with this program.",
    fix: "To keep data without a server, use start({ directory }) from @keywright/embedded and connect(keyspace, { engine }); otherwise run a server with persistence and pass its address.",
  })

export const clusterDatabases = (numbers: readonly number[], where: string, cause: KeywrightError) =>
  new SchemaError(
    "CONNECT.CLUSTER_DATABASES",
    `this keyspace uses the databases ${numbers.join(", ")}, and the cluster of ${where} does not have them`,
    {
      why: cause.why ?? "A cluster of Redis has database 0 only.",
      fix: "Use a server without cluster mode, Valkey from version 9 on with cluster-databases, or a keyspace without database() groups.",
      cause,
    },
  )
