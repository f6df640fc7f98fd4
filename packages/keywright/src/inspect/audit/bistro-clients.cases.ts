import { afterEach } from "vitest"
import type { TestServer } from "../../client/servers.cases.ts"
import { type Bistro, openBistro } from "./bistro.cases.ts"

/** Opens clients that are closed after the test. */
export function bistroClients(server: () => TestServer): () => Promise<Bistro> {
  const clients: Bistro[] = []
  afterEach(async () => {
    for (const db of clients.splice(0)) await db.$close()
  })
  return async () => {
    const db = await openBistro(server().target)
    clients.push(db)
    return db
  }
}
