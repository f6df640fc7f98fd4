import { describe } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { loadEmbedded } from "./embedded.ts"
import { engineConformance } from "./engine-conformance.cases.ts"
import { findServerProgram, startLocalServer } from "./local-server.ts"

engineConformance("the embedded engine", async () => (await loadEmbedded()).start({ patienceMs: 60_000 }))

describe.runIf(needs("redis-server"))("a server of the machine", () => {
  engineConformance("the server of local:", () => startLocalServer(findServerProgram() ?? ""))
})
