import type { FindingRow } from "../../api.ts"
import { ShownText } from "../parts/shown-text.tsx"

/** What the last audit found wrong with this key. */
export const KeyFindings = ({ findings }: { readonly findings: readonly FindingRow[] }) =>
  findings.length === 0 ? null : (
    <ul class="stack-small" aria-label="Findings of the last audit">
      {findings.map(({ code, expected, found }, i) => (
        <li key={i} class="note warn">
          <b>{code}</b> expected <ShownText text={expected} />, found <ShownText text={found} />
        </li>
      ))}
    </ul>
  )
