import { call } from "../state/call.ts"
import { audits, put } from "../state/studio.ts"

export async function startAudit(system: string): Promise<void> {
  put(audits, system, await call("POST /api/systems/:system/audit", { system, body: {} }))
}

export async function stopAudit(system: string): Promise<void> {
  put(audits, system, await call("POST /api/systems/:system/audit/stop", { system, body: {} }))
}
