import { ShownText } from "studio/parts/shown-text.tsx"
import type { ExplainedRequest, ExplainedSent } from "../state/actions.ts"
import { KeyText } from "./key-text.tsx"

interface Props {
  readonly command: ExplainedSent["commands"][number]
  readonly keys: ExplainedRequest["keys"]
}

/** A command as it was sent: its name, its keys in the colour of their type, and the rest. */
export function Words({ command: { words, keys: own }, keys }: Props) {
  const [name = "", ...rest] = words
  let next = 0
  return (
    <code class="words">
      <b>{name}</b>
      {rest.map((word, i) => {
        const key = own[next]?.key === word ? own[next++] : undefined
        return <span key={i}> {key === undefined ? <ShownText text={word} /> : <KeyText of={key} keys={keys} />}</span>
      })}
    </code>
  )
}
