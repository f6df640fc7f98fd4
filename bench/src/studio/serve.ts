/* The studio in a process of its own, so that its memory is that of nothing else:
 * `fork`ed with the server's address; says where it is, and when asked, the most memory
 * that it has taken. */

import type { Keyspace } from "keywright"
import { startStudio } from "keywright/studio"
import { mixed } from "../audit/keyspace.ts"

export async function serveStudio(url: string): Promise<void> {
  const studio = await startStudio({ systems: [{ keyspace: mixed as unknown as Keyspace, server: url }] })
  process.on("message", () => process.send?.({ bytes: process.resourceUsage().maxRSS * 1024 }))
  process.send?.({ url: studio.url })
}
