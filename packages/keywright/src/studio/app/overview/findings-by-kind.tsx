import { countText } from "../../../render/quantity.ts"
import { Card } from "../parts/card.tsx"
import { Empty } from "../parts/empty.tsx"
import { href } from "../state/route.ts"
import { audits } from "../state/studio.ts"

/** What the last audits found, by code. */
export function FindingsByKind({ names }: { readonly names: readonly string[] }) {
  const known = names.flatMap((name) => audits.value[name] ?? [])
  const kinds = known
    .flatMap(({ system, summary, codes }) =>
      Object.entries(summary).map(([code, count]) => ({ system, code, count, info: codes[code] })),
    )
    .sort((a, b) => b.count - a.count)
  const running = known.filter(({ state }) => state === "running").length
  const never = known.every(({ state }) => state === "never")
  return (
    <Card title="Findings by kind" aside={running > 0 ? "auditing…" : undefined}>
      {kinds.length === 0 ? (
        <Empty title={never ? "Not audited yet" : running > 0 ? "Nothing so far" : "Data and schema agree"}>
          <p>
            {never
              ? "An audit reads every key and checks type, TTL, value, indexes and references. It writes nothing."
              : "Every key fits its pattern, and every index its records."}
          </p>
        </Empty>
      ) : (
        <ul class="kinds body">
          {kinds.slice(0, 9).map(({ system, code, count, info }) => (
            <li key={`${system} ${code}`}>
              <a href={href("audit", [system], { code })}>
                <span class="cut">
                  {info?.title ?? code}
                  <small class="quiet"> {names.length > 1 ? system : code}</small>
                </span>
                <b>{countText(count)}</b>
              </a>
            </li>
          ))}
          {kinds.length > 9 ? (
            <li>
              <a href={href("audit")}>{kinds.length - 9} more kinds</a>
            </li>
          ) : null}
        </ul>
      )}
    </Card>
  )
}
