import { InlineCode } from "studio/parts/inline-code.tsx"
import type { Quote } from "../state/actions.ts"

/** What the document says, and which requirement that became. */
export const QuoteText = ({ quote: { id, text, english, language } }: { readonly quote: Quote }) => (
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
