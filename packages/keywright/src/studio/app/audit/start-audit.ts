import { call } from "../state/call.ts"
import { attempt } from "../state/notice.ts"
import { audits, put } from "../state/studio.ts"

export function startAudit(system: string): void {
  const asked = call("POST /api/systems/:system/audit", { system, body: {} })
  attempt(asked.then((state) => put(audits, system, state)))
}

export function stopAudit(system: string): void {
  const asked = call("POST /api/systems/:system/audit/stop", { system, body: {} })
  attempt(asked.then((state) => put(audits, system, state)))
}
