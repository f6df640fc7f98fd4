import { Card } from "studio/parts/card.tsx"
import { adminToken } from "../state/about.ts"
import { ActButton } from "../parts/act-button.tsx"
import { isRunning, report, runNight, status, tonight } from "./state.ts"

const TABLES: Readonly<Record<string, string>> = {
  clg: "challenges",
  mmbr: "members",
  post: "posts",
  reaction: "reactions",
  tracking: "trackings",
}

/** The nightly run: what waits for it, how far it is, and what it did. */
export function Night() {
  const found = status.value
  if (found === undefined) return null
  const { last_run_date: last, day_index: day, max_post_age: age } = found.params
  return (
    <Card title="The nightly run" aside={last === null ? "has not run yet" : `last run ${last}`}>
      <div class="body stack">
        <p class="small">
          Day {day ?? 0} of a ring of {age} days. {Object.values(found.pool).reduce((sum, one) => sum + one, 0)} posts
          to choose from.
        </p>
        <p class="small quiet">
          {tonight.value.length === 0
            ? "Like a post: Redis learns of it in the next nightly run."
            : `${tonight.value.length} new ${tonight.value.length === 1 ? "reaction waits" : "reactions wait"} for the nightly run.`}
        </p>
        {adminToken.value === undefined ? null : (
          <ActButton class="button first" disabled={isRunning.value} onAct={runNight}>
            {isRunning.value ? "Running …" : "Run it now"}
          </ActButton>
        )}
        {isRunning.value ? <progress class="progress" aria-label="The nightly run" /> : null}
        <NightReport />
      </div>
    </Card>
  )
}

function NightReport() {
  const done = report.value
  if (done === undefined) return null
  return (
    <div class="report" role="status">
      <p class="small">
        <b>{done.date}</b> is day {done.day_index} of the ring. Added in {done.duration_ms} ms:
      </p>
      <ul class="small">
        {Object.entries(done.added).map(([table, count]) => (
          <li key={table}>
            <span>{TABLES[table] ?? table}</span>
            <b>{count}</b>
          </li>
        ))}
        <li>
          <span>skipped</span>
          <b>{done.skipped.length}</b>
        </li>
      </ul>
    </div>
  )
}
