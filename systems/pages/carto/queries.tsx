import { signal } from "@preact/signals"
import { Card } from "studio/parts/card.tsx"
import { Bar } from "../parts/bar.tsx"
import { Fact } from "../parts/fact.tsx"
import { SmallForm } from "../parts/small-form.tsx"
import { adminToken } from "../state/about.ts"
import { runQuery, usage, VERBS } from "./state.ts"

/** What one allows oneself; the counters themselves have no limit. */
const threshold = signal(50)

/** Queries of the month by kind, against a threshold. */
export function Queries() {
  const found = usage.value
  if (found === undefined) return null
  const today = found.days[new Date().toISOString().slice(0, 10)]
  const part = found.month.queries / threshold.value
  return (
    <Card title="Queries" aside={`${found.total} in total`}>
      <div class="body stack">
        <dl class="numbers">
          <Fact name="today">{today?.queries ?? 0}</Fact>
          <Fact name="this month">{found.month.queries}</Fact>
          <Fact name="seconds">{found.month.time.toFixed(2)}</Fact>
        </dl>
        <label class="threshold">
          <span>Monthly threshold</span>
          <input
            class="input"
            type="number"
            min={1}
            max={100_000}
            value={threshold.value}
            onInput={({ currentTarget }) => (threshold.value = Math.max(1, Number(currentTarget.value) || 1))}
          />
        </label>
        <div>
          <Bar part={part} kind={part >= 1 ? "bad" : part > 0.8 ? "warn" : ""} />
          <p class="quiet small">{part >= 1 ? "Over the threshold" : `${Math.round(part * 100)}% of the threshold`}</p>
        </div>
        <ul class="verbs">
          {VERBS.map((verb) => (
            <li key={verb}>
              <span class="mono small">{verb}</span>
              <Bar part={found.month[verb] / Math.max(1, found.month.queries)} />
              <span class="number small">{found.month[verb]}</span>
            </li>
          ))}
        </ul>
        {adminToken.value === undefined ? null : (
          <SmallForm label="SQL to run" placeholder="select * from parks" button="Run" onSubmit={runQuery} />
        )}
      </div>
    </Card>
  )
}
