import { Empty } from "../parts/empty.tsx"
import { href, route } from "../state/route.ts"
import { systemNamed, systems } from "../state/studio.ts"
import { AuditAll } from "./audit-all.tsx"
import { AuditSystem } from "./audit-system.tsx"

/** `#/audit` is all systems; `#/audit/shop?code=INDEX.MISSING` is one, and some of its findings. */
export function AuditView() {
  const [name = systems.value.length === 1 ? systems.value[0]?.name : undefined] = route.value.path
  if (name === undefined) return <AuditAll />
  const system = systemNamed(name)
  return system === undefined ? (
    <Empty title={`There is no system “${name}”`}>
      <a href={href("audit")}>See all systems</a>
    </Empty>
  ) : (
    <AuditSystem key={name} system={system} />
  )
}
