import { countText, secondsText } from "../../../render/quantity.ts"
import type { AuditState } from "../../api.ts"
import { Progress } from "../parts/progress.tsx"

/** How far it is, or how it went. */
export function AuditProgress({ audit }: { readonly audit: AuditState }) {
  const { state, keys, of, perSecond, secondsLeft, findings, startedAt, endedAt } = audit
  const isRunning = state === "running"
  const took =
    startedAt === undefined || endedAt === undefined ? undefined : Date.parse(endedAt) - Date.parse(startedAt)
  return (
    <div class="card audit-progress" aria-live="polite">
      <p>
        {isRunning ? (
          <>
            <b>{countText(keys)}</b> of about {countText(Math.max(keys, of))} keys
          </>
        ) : (
          <>
            <b>{countText(keys)}</b> keys read
          </>
        )}
        <span class="quiet">
          {isRunning
            ? ` · ${countText(perSecond)} a second${secondsLeft === undefined ? "" : ` · ${secondsText(Math.ceil(secondsLeft))} left`}`
            : `${took === undefined ? "" : ` in ${took < 1000 ? `${took} ms` : secondsText(Math.round(took / 1000))}`}${endedAt === undefined ? "" : ` at ${new Date(endedAt).toLocaleTimeString("en-GB")}`}${state === "stopped" ? " · stopped before the end" : ""}`}
        </span>
        <span class="audit-count">
          <b>{countText(findings)}</b> {findings === 1 ? "finding" : "findings"}
        </span>
      </p>
      {isRunning ? <Progress part={of === 0 ? undefined : keys / of} label="Audit" /> : <div class="bar ended" />}
    </div>
  )
}
