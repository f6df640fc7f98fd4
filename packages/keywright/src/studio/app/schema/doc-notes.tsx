import type { DocKey, DocPage } from "../../api.ts"
import { Card } from "../parts/card.tsx"
import { InlineCode } from "../parts/inline-code.tsx"

/** Why something should not be used any more, and when it exists at all. */
export const DocNotes = ({ deprecated, when }: Pick<DocKey, "deprecated" | "when">) => (
  <>
    {deprecated === undefined ? null : (
      <p class="note warn">
        <b>Deprecated.</b> <InlineCode text={deprecated} />
      </p>
    )}
    {when === undefined ? null : (
      <p class="note">
        Only when <InlineCode text={when} />.
      </p>
    )}
  </>
)

/** What must hold between keys. */
export const RulesCard = ({ rules }: { readonly rules: DocPage["invariants"] }) =>
  rules.length === 0 ? null : (
    <Card title="What must hold">
      <ul class="rules body">
        {rules.map((rule) => (
          <li key={rule}>
            <InlineCode text={rule} />
          </li>
        ))}
      </ul>
    </Card>
  )
