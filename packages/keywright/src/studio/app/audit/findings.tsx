import { countText } from "../../../render/quantity.ts"
import type { AuditState, FindingRow } from "../../api.ts"
import { arrowRows } from "../parts/arrow-rows.ts"
import { Card } from "../parts/card.tsx"
import { Empty } from "../parts/empty.tsx"
import { ExportShown } from "../parts/export-shown.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { KeyLinkText } from "../parts/key-link.tsx"
import { Pager } from "../parts/pager.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { Table } from "../parts/table.tsx"
import { call } from "../state/call.ts"
import { href, route } from "../state/route.ts"
import { useAnswer } from "../state/use-answer.ts"
import { useStateOf } from "../state/use-state-of.ts"

const PAGE = 50

interface Props {
  readonly system: string
  readonly audit: AuditState
}

/** The findings: kinds at the side, those of the chosen kind beside it. */
export function Findings({ system, audit }: Props) {
  const { code } = route.value.query
  const [offset, setOffset] = useStateOf(code, 0)
  // While it runs, about once for every hundred findings.
  const freshness =
    audit.state === "running" ? `running ${Math.floor(audit.findings / 100)}` : `${audit.state} ${audit.endedAt}`
  const { data, error, again, loading } = useAnswer(`${system} ${code ?? ""} ${offset} ${freshness}`, (signal) =>
    call("GET /api/systems/:system/audit/findings", {
      system,
      query: { ...(code !== undefined && { code }), offset, limit: PAGE },
      signal,
    }),
  )
  const info = code === undefined ? undefined : audit.codes[code]
  if (code !== undefined && audit.state !== "running" && audit.summary[code] === undefined)
    return (
      <div class="findings">
        <Kinds system={system} audit={audit} chosen={code} />
        <div class="card">
          <Empty title="No findings of this kind are left">
            <p>
              The last audit found no {code}. <a href={href("audit", [system])}>See all findings</a>
            </p>
          </Empty>
        </div>
      </div>
    )
  return (
    <div class="findings">
      <Kinds system={system} audit={audit} chosen={code} />
      <Card title={info?.title ?? "All findings"} aside={code}>
        {info === undefined ? null : (
          <div class="section-notes small">
            {info.why === undefined ? null : <p class="quiet">{info.why}</p>}
            {info.fix === undefined ? null : (
              <p class="quiet">
                <b>Fix:</b> {info.fix}
              </p>
            )}
          </div>
        )}
        {error !== undefined ? (
          <FailureNote error={error} again={again} />
        ) : data === undefined ? (
          <Skeleton rows={8} />
        ) : (
          <FindingsTable system={system} rows={data.findings} withCode={code === undefined} />
        )}
        <Pager
          busy={loading}
          onBack={offset > 0 ? () => setOffset(Math.max(0, offset - PAGE)) : undefined}
          onNext={data !== undefined && offset + PAGE < data.total ? () => setOffset(offset + PAGE) : undefined}
        >
          {data === undefined || data.total === 0
            ? ""
            : `${countText(offset + 1)}–${countText(Math.min(data.total, offset + PAGE))} of ${countText(data.total)}`}
          <ExportShown
            name={`${system}-findings`}
            columns={["code", "pattern", "key", "place", "expected", "found", "fixable"]}
            rows={(data?.findings ?? []).map(({ code: one, pattern, link, place, expected, found, fixable }) => [
              one,
              pattern,
              link.key,
              place ?? null,
              expected,
              found,
              fixable,
            ])}
          />
        </Pager>
      </Card>
    </div>
  )
}

interface KindsProps extends Props {
  readonly chosen: string | undefined
}

function Kinds({ system, audit, chosen }: KindsProps) {
  const kinds = Object.entries(audit.summary).sort(([, a], [, b]) => b - a)
  return (
    <nav class="card kinds-nav" aria-label="Kinds of findings" onKeyDown={arrowRows}>
      <ul>
        <li>
          <a href={href("audit", [system])} aria-current={chosen === undefined ? "true" : undefined} data-row>
            <span>All findings</span>
            <b>{countText(audit.findings)}</b>
          </a>
        </li>
        {kinds.map(([code, count]) => (
          <li key={code}>
            <a href={href("audit", [system], { code })} aria-current={chosen === code ? "true" : undefined} data-row>
              <span>
                {audit.codes[code]?.title ?? code}
                <small>{code}</small>
              </span>
              <b>{countText(count)}</b>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface TableProps {
  readonly system: string
  readonly rows: readonly FindingRow[]
  readonly withCode: boolean
}

const FindingsTable = ({ system, rows, withCode }: TableProps) => (
  <Table class="findings-table" arrows columns={[withCode ? "Code" : undefined, "Key", "Expected", "Found", "Repair"]}>
    {rows.map(({ code, link, place, expected, found, fixable }, i) => (
      <tr class="go" key={i}>
        {withCode ? (
          <td>
            <code class="small">{code}</code>
          </td>
        ) : null}
        <td>
          <KeyLinkText system={system} link={link} row />
          {place === undefined ? null : <PlaceText place={place} />}
        </td>
        <td class="break">
          <ShownText text={expected} />
        </td>
        <td class="break">
          <ShownText text={found} />
        </td>
        <td>{fixable ? <span class="badge good">yes</span> : <span class="badge">by hand</span>}</td>
      </tr>
    ))}
  </Table>
)

function PlaceText({ place }: { readonly place: NonNullable<FindingRow["place"]> }) {
  const [what = "", text = ""] = Object.entries(place)[0] ?? []
  return (
    <p class="quiet small break">
      {what} <ShownText text={String(text)} />
    </p>
  )
}
