import { countText } from "../../../render/quantity.ts"
import { Card } from "../parts/card.tsx"
import { Empty } from "../parts/empty.tsx"
import { ExportShown } from "../parts/export-shown.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { IconButton } from "../parts/icon-button.tsx"
import { Pattern } from "../parts/pattern.tsx"
import { ShownCode } from "../parts/shown-text.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { Table } from "../parts/table.tsx"
import { call } from "../state/call.ts"
import { href } from "../state/route.ts"
import { useAnswer } from "../state/use-answer.ts"

const MOST = 30

/** The server's slow log, by command and pattern. */
export function SlowCard({ system }: { readonly system: string }) {
  const { data, error, again } = useAnswer(`slow ${system}`, (signal) =>
    call("GET /api/systems/:system/slow", { system, signal }),
  )
  const rows = data?.rows.slice(0, MOST) ?? []
  return (
    <Card
      title={`Slow commands by pattern: ${system}`}
      aside={
        <>
          {data?.since === undefined ? null : (
            <span class="small">
              {countText(data.entries)} since {new Date(data.since).toLocaleString("en-GB")}
            </span>
          )}
          <ExportShown
            name={`${system}-slow`}
            columns={["command", "pattern", "count", "totalMicros", "longestMicros", "lastAt"]}
            rows={rows.map((row) => [
              row.command,
              row.pattern ?? null,
              row.count,
              row.totalMicros,
              row.longestMicros,
              row.lastAt,
            ])}
          />
          <IconButton icon="refresh" label="Read the slow log again" onClick={again} />
        </>
      }
    >
      {error !== undefined ? (
        <FailureNote error={error} again={again} />
      ) : data === undefined ? (
        <Skeleton rows={4} />
      ) : rows.length === 0 ? (
        <Empty title="Nothing was slow">
          <p>
            The server notes commands that take longer than its <code>slowlog-log-slower-than</code>.
          </p>
        </Empty>
      ) : (
        <Table
          class="slow-table"
          region={`Slow commands of ${system}`}
          columns={[
            "Command",
            "Pattern",
            { number: "Times" },
            { number: "Longest" },
            { number: "In all" },
            { number: "Last" },
          ]}
        >
          {rows.map((row) => (
            <tr key={`${row.command} ${row.name ?? ""}`}>
              <td>
                <ShownCode text={row.command} />
              </td>
              <td>
                {row.name === undefined ? (
                  <span class="quiet">no pattern</span>
                ) : (
                  <a href={href("browse", [system, row.name])}>
                    <Pattern of={row.pattern ?? ""} />
                  </a>
                )}
              </td>
              <td class="number">{countText(row.count)}</td>
              <td class="number">{milliseconds(row.longestMicros)}</td>
              <td class="number">{milliseconds(row.totalMicros)}</td>
              <td class="number">{new Date(row.lastAt).toLocaleTimeString("en-GB")}</td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  )
}

const milliseconds = (micros: number): string => `${(micros / 1000).toFixed(micros < 10_000 ? 2 : 0)} ms`
