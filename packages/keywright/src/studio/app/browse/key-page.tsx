/* One key: what it holds, how long it lives, what it is related to. Decoded by its
 * codec; as it is stored one click away; secrets only on request. */

import { useEffect, useState } from "preact/hooks"
import type { FindingRow, KeyDetail } from "../../api.ts"
import { Button } from "../parts/button.tsx"
import { Card } from "../parts/card.tsx"
import { CopyButton } from "../parts/copy-button.tsx"
import { Empty } from "../parts/empty.tsx"
import { FailurePage } from "../parts/failure-note.tsx"
import { InlineCode } from "../parts/inline-code.tsx"
import { PageHead } from "../parts/page-head.tsx"
import { ShownCode, ShownText } from "../parts/shown-text.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { call } from "../state/call.ts"
import { attempt } from "../state/notice.ts"
import { href } from "../state/route.ts"
import { systemNamed } from "../state/studio.ts"
import { useAnswer } from "../state/use-answer.ts"
import { KeyActions } from "./key-actions.tsx"
import { KeyFacts } from "./key-facts.tsx"
import { KeyValue } from "./key-value.tsx"
import { Relations } from "./relations.tsx"

interface Props {
  readonly system: string
  readonly db: number
  readonly keyRef: string
  readonly onPattern: (name: string | undefined) => void
}

export function KeyPage({ system, db, keyRef, onPattern }: Props) {
  const [revealed, setRevealed] = useState<KeyDetail | undefined>(undefined)
  const [at, setAt] = useState(Date.now())
  const { data, error, again } = useAnswer(`${system} ${db} ${keyRef}`, async (signal) => {
    const detail = await call("GET /api/systems/:system/key", { system, query: { db, ref: keyRef }, signal })
    setAt(Date.now())
    return detail
  })
  useEffect(() => {
    if (data !== undefined) onPattern(data.name)
  }, [data])
  const reveal = async () => {
    const answer = await call("POST /api/systems/:system/reveal", { system, body: { db, ref: keyRef, what: "key" } })
    if ("key" in answer) setRevealed(answer.key)
  }
  const refresh = () => {
    setRevealed(undefined)
    again()
  }
  if (error !== undefined) return <FailurePage error={error} again={again} />
  const detail = revealed ?? data
  if (detail === undefined)
    return (
      <div class="page">
        <PageHead title="…" />
        <div class="card">
          <Skeleton rows={8} />
        </div>
      </div>
    )
  return (
    <div class="page">
      <PageHead
        title={<ShownCode class="key break" text={detail.key} />}
        beside={<CopyButton text={detail.key} what="the key" />}
        crumbs={[
          { text: systemNamed(system)?.title ?? system, href: href("browse", [system]) },
          ...(detail.name === undefined
            ? []
            : [{ text: detail.pattern ?? detail.name, href: href("browse", [system, detail.name]) }]),
        ]}
        lead={detail.doc === undefined ? undefined : <InlineCode text={detail.doc} />}
      >
        <KeyActions
          system={system}
          detail={detail}
          isRevealed={revealed !== undefined}
          onReveal={() => attempt(reveal())}
          onRefresh={refresh}
        />
      </PageHead>
      {detail.type === "none" ? (
        <div class="card">
          <Empty title="There is no such key (any more)">
            <p>It has expired, was deleted, or never existed.</p>
            <Button text="Look again" onClick={refresh} />
          </Empty>
        </div>
      ) : (
        <div class="stack">
          <KeyFindings findings={detail.findings} />
          <KeyFacts detail={detail} at={at} />
          <div class="key-columns">
            <KeyValue system={system} detail={detail} isRevealed={revealed !== undefined} />
            {detail.relations.length === 0 ? null : (
              <Card title="Related">
                <Relations system={system} detail={detail} />
              </Card>
            )}
          </div>
        </div>
      )}
    </div>
  )
}

/** What the last audit found wrong with this key. */
const KeyFindings = ({ findings }: { readonly findings: readonly FindingRow[] }) =>
  findings.length === 0 ? null : (
    <ul class="stack-small" aria-label="Findings of the last audit">
      {findings.map(({ code, expected, found }, i) => (
        <li key={i} class="note warn">
          <b>{code}</b> expected <ShownText text={expected} />, found <ShownText text={found} />
        </li>
      ))}
    </ul>
  )
