import { Empty, NoSystem } from "../parts/empty.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { PageHead } from "../parts/page-head.tsx"
import { ShownCode } from "../parts/shown-text.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { SystemTabs } from "../parts/system-tabs.tsx"
import { differentOrders, orderText } from "../../../render/diff-text.ts"
import { counted } from "../../../render/quantity.ts"
import type { SystemDifference, SystemInfo } from "../../api.ts"
import { call } from "../state/call.ts"
import { route } from "../state/route.ts"
import { systemNamed, systems } from "../state/studio.ts"
import { useAnswer } from "../state/use-answer.ts"
import { byLevel } from "./by-level.ts"
import { ChangesCard } from "./changes-card.tsx"

/** `#/difference/shop`: what changed in its schema since the one that was given with --against. */
export function DifferenceView() {
  const [name = systems.value.find(({ against }) => against !== undefined)?.name ?? systems.value[0]?.name] =
    route.value.path
  const system = systemNamed(name)
  if (system === undefined) return <NoSystem name={name} view="difference" />
  return (
    <div class="page">
      <PageHead title={`What changed in ${system.title}`}>
        <SystemTabs view="difference" chosen={system.name} />
      </PageHead>
      {system.against === undefined ? <NothingToCompare /> : <Compared key={system.name} system={system} />}
    </div>
  )
}

const NothingToCompare = () => (
  <Empty title="There is nothing to compare it with">
    <p>
      Start the studio with <code>--against HEAD</code>, or with another file, revision, JSON form or server.
    </p>
  </Empty>
)

function Compared({ system }: { readonly system: SystemInfo }) {
  const { data, error, again } = useAnswer(system.name, (signal) =>
    call("GET /api/systems/:system/difference", { system: system.name, signal }),
  )
  if (error !== undefined) return <FailureNote error={error} again={again} />
  return data === undefined ? <Skeleton rows={8} /> : <Difference system={system} difference={data} />
}

interface Props {
  readonly system: SystemInfo
  readonly difference: SystemDifference
}

const Difference = ({ system, difference: { before, changes, order, questions } }: Props) => (
  <div class="stack">
    <section class="card body difference-sum">
      <p>
        Since <ShownCode text={before} />:{" "}
        {changes.length === 0 ? "no change that matters." : `${counted(changes.length, "change")}.`}
      </p>
      {changes.length === 0 ? null : (
        <p>
          <b>Deploy {orderText(order)}.</b>
          {differentOrders(changes)}
        </p>
      )}
      {questions.map(({ before: was, after }) => (
        <p key={was} class="quiet">
          Was <code>{was}</code> renamed to <code>{after}</code>? Then say so in the schema:{" "}
          <code>{`was: "${was}"`}</code>.
        </p>
      ))}
    </section>
    {byLevel(changes).map((group) => (
      <ChangesCard key={group.level} system={system.name} group={group} />
    ))}
  </div>
)
