import { InlineCode } from "studio/parts/inline-code.tsx"
import type { ExplainedQuote } from "../../platform/pages/explained-request.ts"

/** What the document says, and which requirement that became. */
export const QuoteText = ({ quote: { id, text, english, language } }: { readonly quote: ExplainedQuote }) => (
  <blockquote class="quote">
    <p lang={language}>
      <InlineCode text={text} />
    </p>
    {english === undefined ? null : (
      <p class="quiet">
        <InlineCode text={english} />
      </p>
    )}
    <span class="badge">{id}</span>
  </blockquote>
)
