import type { ShownChange } from "../../api.ts"

const who = {
  oldReader: "Old readers",
  newReader: "New readers",
  oldWriter: "Old writers",
  newWriter: "New writers",
} as const

const words = { works: "work", fails: "fail", silent: "silently wrong", "n/a": "not concerned" } as const
const shades = { works: "good", fails: "warn", silent: "bad", "n/a": "" } as const

/** What becomes of the four who meet. */
export const Verdicts = ({ of, about }: { readonly of: ShownChange; readonly about: string }) => (
  <dl class="verdicts" aria-label={`What breaks with ${about}`}>
    {Object.entries(who).map(([name, text]) => {
      const verdict = of[name as keyof typeof who]
      return (
        <div key={name}>
          <dt>{text}</dt>
          <dd>
            <span class={`badge ${shades[verdict]}`}>{words[verdict]}</span>
          </dd>
        </div>
      )
    })}
  </dl>
)
