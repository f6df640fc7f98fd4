import { startAudit } from "../audit/start-audit.ts"
import { href } from "../state/route.ts"
import { audits } from "../state/studio.ts"
import { Button } from "../parts/button.tsx"

/** The next thing to do: audit, or read what the audit found. */
export function AuditOffer({ names }: { readonly names: readonly string[] }) {
  const known = names.flatMap((name) => audits.value[name] ?? [])
  if (known.length < names.length) return null
  if (known.every(({ state }) => state === "never"))
    return <Button look="first" text="Run the audit" onClick={() => names.forEach((name) => startAudit(name))} />
  const isRunning = known.some(({ state }) => state === "running")
  const findings = known.reduce((sum, one) => sum + one.findings, 0)
  return (
    <a class={findings > 0 ? "button first" : "button"} href={href("audit", names.length === 1 ? names : [])}>
      {isRunning ? "Auditing…" : findings === 0 ? "Audit" : "See what is wrong"}
    </a>
  )
}
