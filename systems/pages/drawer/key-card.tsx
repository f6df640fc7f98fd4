import type { ExplainedKey } from "../../platform/pages/explained-request.ts"
import { Icon } from "studio/parts/icon.tsx"
import { InlineCode } from "studio/parts/inline-code.tsx"
import { Pattern } from "studio/parts/pattern.tsx"
import { TypeName } from "studio/parts/type-name.tsx"
import { studioHref } from "../shell/studio-href.ts"
import { about } from "../state/about.ts"
import { QuoteText } from "./quote-text.tsx"

interface Props {
  readonly system: string
  readonly name: string
  readonly of: ExplainedKey
}

/** A pattern: what it holds, who asked for it, and where to look at it. */
export const KeyCard = ({ system, name, of: { pattern, type, ttl, doc, asked } }: Props) => (
  <li class="key-card">
    <p class="key-line">
      <Pattern of={pattern} />
      {about.value?.studio ? (
        <a href={studioHref(system, name)} target="_blank" rel="noopener" aria-label={`${pattern} in the studio`}>
          <Icon name="external" />
        </a>
      ) : null}
    </p>
    <p class="quiet small">
      <TypeName type={type} /> · {ttl}
      {doc === "" ? null : (
        <>
          {" "}
          · <InlineCode text={doc} />
        </>
      )}
    </p>
    {asked === undefined ? null : <QuoteText quote={asked} />}
  </li>
)
