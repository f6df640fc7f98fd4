/* Plans that go through a file, as they do on the command line. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Driver } from "../../driver/driver.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { ChangePlan } from "../plan/plan.ts"
import { loadPlan, savePlan } from "../make-plan/plan-file.ts"

/** The plan as its file says it; throws when the file would be refused. */
export async function throughFile(plan: ChangePlan, keyspace: Keyspace, driver: Driver): Promise<ChangePlan> {
  const folder = mkdtempSync(join(tmpdir(), "keywright-plan-"))
  try {
    savePlan(plan, join(folder, "plan.json"))
    return await loadPlan(join(folder, "plan.json"), keyspace, driver, { accept: () => false })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
