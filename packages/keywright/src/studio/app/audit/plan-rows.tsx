import { countText } from "../../../render/quantity.ts"
import type { PlanState } from "../../api.ts"
import { Empty } from "../parts/empty.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { Pager } from "../parts/pager.tsx"
import { ShownCode, ShownText } from "../parts/shown-text.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { Table } from "../parts/table.tsx"
import { call } from "../state/call.ts"
import { useAnswer } from "../state/use-answer.ts"
import { useStateOf } from "../state/use-state-of.ts"

const PAGE = 20

interface Props {
  readonly system: string
  readonly plan: PlanState
  /** Makes it again: another page may have made one since. */
  readonly onAgain: () => void
}

/** The actions of a plan, with the commands that they are. */
export function PlanRows({ system, plan, onAgain }: Props) {
  const [offset, setOffset] = useStateOf(plan.id, 0)
  const { data, error } = useAnswer(`${system} ${plan.id} ${offset}`, (signal) =>
    call("GET /api/systems/:system/audit/plan", { system, query: { id: plan.id, offset, limit: PAGE }, signal }),
  )
  if (error !== undefined) return <FailureNote error={error} again={onAgain} />
  if (data === undefined) return <Skeleton rows={4} />
  if (data.total === 0)
    return (
      <Empty
        title="Nothing can be repaired without your decision"
        text="What is left needs a decision: see the kinds above."
      />
    )
  return (
    <>
      <Table class="plan-table" columns={["Key", "Why", "Commands"]}>
        {data.rows.map(({ key, why, commands, code }, i) => (
          <tr key={i}>
            <td>
              <ShownCode class="key break" text={key} />
            </td>
            <td>
              <ShownText text={why} /> <code class="quiet small">{code}</code>
            </td>
            <td>
              {commands.map((command, at) => (
                <code key={at} class="command break">
                  <ShownText text={command} />
                </code>
              ))}
            </td>
          </tr>
        ))}
      </Table>
      <Pager
        keys={false}
        onBack={offset > 0 ? () => setOffset(Math.max(0, offset - PAGE)) : undefined}
        onNext={offset + PAGE < data.total ? () => setOffset(offset + PAGE) : undefined}
      >
        {`${countText(offset + 1)}–${countText(Math.min(data.total, offset + PAGE))} of ${countText(data.total)} actions`}
      </Pager>
    </>
  )
}
