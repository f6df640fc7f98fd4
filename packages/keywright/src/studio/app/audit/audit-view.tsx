import { NoSystem } from "../parts/empty.tsx"
import { route } from "../state/route.ts"
import { systemNamed, systems } from "../state/studio.ts"
import { AuditAll } from "./audit-all.tsx"
import { AuditSystem } from "./audit-system.tsx"

/** `#/audit` is all systems; `#/audit/shop?code=INDEX.MISSING` is one, and some of its findings. */
export function AuditView() {
  const [name = systems.value.length === 1 ? systems.value[0]?.name : undefined] = route.value.path
  if (name === undefined) return <AuditAll />
  const system = systemNamed(name)
  return system === undefined ? <NoSystem name={name} view="audit" /> : <AuditSystem key={name} system={system} />
}
