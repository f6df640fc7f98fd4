import { InlineCode } from "studio/parts/inline-code.tsx"
import type { SentKey } from "keywright"
import type { ExplainedRequest, ExplainedSent } from "../../platform/pages/explained-request.ts"
import { ShownText } from "studio/parts/shown-text.tsx"

interface Props {
  readonly sent: ExplainedSent
  readonly keys: ExplainedRequest["keys"]
}

interface SentProps extends Props {
  /** For a system that uses several databases. */
  readonly withDatabase: boolean
}

const HOW: Readonly<Record<ExplainedSent["as"], string>> = {
  command: "",
  batch: "Sent together",
  multi: "MULTI … EXEC",
  script: "",
  record: "One script, if nothing has changed since it was read",
}

/** One round trip. */
export const SentView = ({ sent, keys, withDatabase }: SentProps) => (
  <li>
    {withDatabase ? <span class="badge">database {sent.db}</span> : null}
    {HOW[sent.as] === "" ? null : <p class="how">{HOW[sent.as]}</p>}
    {sent.commands.map((command, i) => (
      <Words key={i} command={command} keys={keys} />
    ))}
    {sent.script === undefined ? null : <ScriptView sent={sent} keys={keys} />}
  </li>
)

function ScriptView({ sent: { script, step }, keys }: Props) {
  const { name, keys: touched, args = {} } = script!
  return (
    <div class="script">
      <p class="how">
        Script <code>{name}</code>
        {step?.doc ? (
          <>
            : <InlineCode text={step.doc} />
          </>
        ) : null}
      </p>
      <ul class="touched">
        {touched.map((key, i) => (
          <li key={i}>
            <KeyText of={key} keys={keys} />
          </li>
        ))}
      </ul>
      {step === undefined ? null : (
        <details class="lua">
          <summary>Its arguments and its Lua</summary>
          <dl class="args">
            {Object.entries(args).map(([arg, value]) => (
              <div key={arg}>
                <dt>{arg}</dt>
                <dd class="cut mono">{value}</dd>
              </div>
            ))}
          </dl>
          <pre class="pre" tabIndex={0}>
            {step.source}
          </pre>
        </details>
      )}
    </div>
  )
}

interface WordsProps {
  readonly command: ExplainedSent["commands"][number]
  readonly keys: ExplainedRequest["keys"]
}

/** A command as it was sent: its name, its keys in the colour of their type, and the rest. */
function Words({ command: { words, keys: own }, keys }: WordsProps) {
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

/** A key in the colour of its type. */
const KeyText = ({ of, keys }: { readonly of: SentKey; readonly keys: ExplainedRequest["keys"] }) => (
  <code class={`key t-${of.name === undefined ? "other" : (keys[of.name]?.type ?? "other")}`}>
    <ShownText text={of.key} />
  </code>
)
