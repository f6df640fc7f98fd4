import { countText, secondsText } from "../../../render/quantity.ts"
import { Progress } from "../parts/progress.tsx"
import { call } from "../state/call.ts"
import { attempt } from "../state/notice.ts"
import { now } from "../state/clock.ts"
import { put, scans } from "../state/studio.ts"

/** How far counting is; or how old the counts are, and a way to count again. */
export function ScanLine({ names }: { readonly names: readonly string[] }) {
  const known = names.flatMap((name) => scans.value[name] ?? [])
  const running = known.filter(({ state }) => state === "running")
  const failed = known.find(({ state }) => state === "failed")
  if (running.length > 0) {
    const [keys, of] = [sum(running.map((one) => one.keys)), sum(running.map((one) => one.of))]
    return (
      <div class="scan-line">
        <span>
          Counting: {countText(keys)} of about {countText(Math.max(keys, of))}
        </span>
        <Progress part={of === 0 ? undefined : Math.min(1, keys / of)} label="Counting keys" />
      </div>
    )
  }
  const oldest = known.flatMap(({ doneAt }) => doneAt ?? []).sort()[0]
  return (
    <div class="scan-line">
      <span>
        {failed?.error !== undefined
          ? `Counting failed: ${failed.error.message}`
          : oldest === undefined
            ? "Not counted yet"
            : `Counted ${agoText(now.value - Date.parse(oldest))}`}
      </span>
      <button type="button" class="link" onClick={() => names.forEach((name) => scanAgain(name))}>
        Count again
      </button>
    </div>
  )
}

function scanAgain(system: string): void {
  attempt(call("POST /api/systems/:system/scan", { system, body: {} }).then((state) => put(scans, system, state)))
}

const agoText = (ms: number): string => (ms < 5000 ? "just now" : `${secondsText(Math.floor(ms / 1000))} ago`)
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
