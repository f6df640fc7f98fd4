import { bytesText, countText } from "../../../render/quantity.ts"
import { Fact } from "../parts/fact.tsx"
import { healthWords } from "../parts/ttl-meter.tsx"
import { serverOf } from "../state/server-of.ts"
import { audits, overviews, pulses } from "../state/studio.ts"
import { rightPart, sumCounted } from "./sum-counted.ts"

/** The numbers of some systems together. */
export function Facts({ names }: { readonly names: readonly string[] }) {
  const known = names.flatMap((name) => overviews.value[name] ?? [])
  const isKnown = known.length === names.length
  const sum = sumCounted(known.flatMap(({ databases }) => databases))
  const patterns = known.flatMap(({ databases }) => databases.flatMap((one) => one.patterns))
  const unknown = known.flatMap(({ databases }) => databases.flatMap((one) => one.unknown))
  const unknownKeys = unknown.reduce((keys, one) => keys + one.keys, 0)
  const right = rightPart(sum.ttlHealth)
  const wrong = healthWords({ ...sum.ttlHealth, right: 0 })
  return (
    <dl class="facts">
      <Fact
        label="Keys"
        value={isKnown ? countText(sum.keys) : undefined}
        more={
          !isKnown
            ? ""
            : unknownKeys > 0
              ? `${countText(unknownKeys)} that no pattern owns`
              : `in ${countText(patterns.filter(({ keys }) => keys > 0).length)} of ${patterns.length} patterns`
        }
      />
      <Fact
        label="Memory of keys"
        value={isKnown ? bytesText(sum.bytes) : undefined}
        more={sum.keys === 0 ? "" : `${bytesText(sum.bytes / sum.keys)} a key`}
      />
      <Fact
        label="TTL as declared"
        value={isKnown ? (right === undefined ? "–" : percent(right)) : undefined}
        tone={right !== undefined && right < 1 ? "warn" : undefined}
        more={isKnown ? (wrong[0] ?? "of all keys") : ""}
      />
      <FindingsFact names={names} />
      <Commands names={names} />
    </dl>
  )
}

function FindingsFact({ names }: { readonly names: readonly string[] }) {
  const known = names.flatMap((name) => audits.value[name] ?? [])
  const done = known.filter(({ state }) => state !== "never")
  const findings = known.reduce((sum, one) => sum + one.findings, 0)
  const fixable = known.reduce((sum, one) => sum + one.fixable, 0)
  if (done.length === 0) return <Fact label="Findings" value="–" more="not audited yet" />
  return (
    <Fact
      label="Findings"
      value={countText(findings)}
      tone={findings > 0 ? "warn" : "good"}
      more={findings === 0 ? "data and schema agree" : `${countText(fixable)} can be repaired`}
    />
  )
}

function Commands({ names }: { readonly names: readonly string[] }) {
  const known = names.flatMap((name) => pulses.value[name] ?? [])
  // Systems that share a server have the same number.
  const servers = new Map(known.map(({ system, opsPerSecond }) => [serverOf(system), opsPerSecond]))
  const ops = [...servers.values()].reduce((sum, one) => sum + one, 0)
  return <Fact label="Commands" value={known.length === 0 ? undefined : countText(ops)} more="a second" />
}

/** `0.9996` → `"99.9 %"`: never rounded up to all, nor down to nothing. */
function percent(part: number): string {
  if (part === 0 || part === 1) return `${part * 100} %`
  const bounded = Math.min(0.999, Math.max(0.001, part))
  return `${(bounded * 100).toFixed(bounded > 0.99 || bounded < 0.1 ? 1 : 0)} %`
}
