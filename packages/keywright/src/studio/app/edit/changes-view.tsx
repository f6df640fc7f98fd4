import { countText } from "../../../render/quantity.ts"
import type { LogEntry, TreeNode, TreePattern } from "../../api.ts"
import { arrowRows } from "../parts/arrow-rows.ts"
import { Card } from "../parts/card.tsx"
import { Empty } from "../parts/empty.tsx"
import { KeyLinkText } from "../parts/key-link.tsx"
import { PageHead } from "../parts/page-head.tsx"
import { Pattern } from "../parts/pattern.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import { Table } from "../parts/table.tsx"
import { href } from "../state/route.ts"
import { log, schemas, session, systems } from "../state/studio.ts"

/** What was done in this session, and what can be created. */
export function ChangesView() {
  const canWrite = session.value?.write === true
  return (
    <div class="page">
      <PageHead
        title="Changes"
        lead={
          canWrite
            ? "Every edit goes through the repository: the schema checks it, and indexes follow."
            : "The studio is read-only."
        }
      />
      <div class="stack">
        <Card title="Log" aside={log.value.length === 0 ? undefined : `${countText(log.value.length)} in this session`}>
          {log.value.length === 0 ? (
            <Empty
              title="Nothing has been done yet"
              text="Edits, repairs and revealed secrets are noted here while the studio runs."
            />
          ) : (
            <LogTable entries={log.value} />
          )}
        </Card>
        {canWrite ? (
          <Creatable />
        ) : (
          <p class="note">
            Start it with <code>--write</code> to create, change and delete, and to apply repair plans.
          </p>
        )}
      </div>
    </div>
  )
}

const LogTable = ({ entries }: { readonly entries: readonly LogEntry[] }) => (
  <Table arrows columns={["Time", "System", "What", "Key", "Outcome"]}>
    {entries.map((entry, i) => (
      <tr key={`${entry.at} ${i}`}>
        <td class="nowrap quiet">{new Date(entry.at).toLocaleTimeString("en-GB")}</td>
        <td>{entry.system}</td>
        <td class="break">
          <ShownText text={entry.text} />
        </td>
        <td>{entry.link === undefined ? null : <KeyLinkText system={entry.system} link={entry.link} row />}</td>
        <td>
          {entry.ok ? (
            <span class="badge good">done</span>
          ) : (
            <span class="badge bad" title={entry.error?.message}>
              {entry.error?.code ?? "failed"}
            </span>
          )}
        </td>
      </tr>
    ))}
  </Table>
)

const Creatable = () => (
  <Card title="Create">
    <div class="body creatable" onKeyDown={arrowRows}>
      {systems.value.map(({ name, title }) => {
        const { forms = {}, tree = [] } = schemas.value[name] ?? {}
        const patterns = patternsIn(tree).filter((one) => forms[one.name]?.create === true)
        return patterns.length === 0 ? null : (
          <details key={name} open={systems.value.length === 1}>
            <summary>
              <b>{title}</b> <span class="quiet">{patterns.length} patterns</span>
            </summary>
            <ul>
              {patterns.map((one) => (
                <li key={one.name}>
                  <a href={href("edit", [name, one.name])} data-row>
                    <Pattern of={one.pattern} />
                  </a>
                </li>
              ))}
            </ul>
          </details>
        )
      })}
    </div>
  </Card>
)

const patternsIn = (tree: readonly TreeNode[]): TreePattern[] =>
  tree.flatMap((node) => (node.node === "pattern" ? [node] : patternsIn(node.children)))
