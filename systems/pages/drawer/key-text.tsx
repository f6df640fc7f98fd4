import { ShownText } from "studio/parts/shown-text.tsx"
import type { SentKey, ExplainedRequest } from "../state/actions.ts"

/** A key in the colour of its type. */
export const KeyText = ({ of, keys }: { readonly of: SentKey; readonly keys: ExplainedRequest["keys"] }) => (
  <code class={`key t-${of.name === undefined ? "other" : (keys[of.name]?.type ?? "other")}`}>
    <ShownText text={of.key} />
  </code>
)
