import { counted, countText } from "../../../render/quantity.ts"
import { orderText } from "../../../render/diff-text.ts"
import type { ShownChange } from "../../api.ts"
import { Card } from "../parts/card.tsx"
import { CopyButton } from "../parts/copy-button.tsx"
import { ShownCode } from "../parts/shown-text.tsx"
import { href } from "../state/route.ts"
import { counts } from "../state/studio.ts"
import type { LevelGroup } from "./by-level.ts"
import { Verdicts } from "./verdicts.tsx"

/** The changes of one level, each with who breaks, when to deploy it and what to do. */
export const ChangesCard = ({ system, group }: { readonly system: string; readonly group: LevelGroup }) => (
  <Card title={group.title} aside={countText(group.changes.length)}>
    {group.changes.map((change, i) => (
      <ChangeText key={`${change.code} ${change.path} ${i}`} system={system} change={change} />
    ))}
  </Card>
)

function ChangeText({ system, change }: { readonly system: string; readonly change: ShownChange }) {
  const { code, path, title, what, why, level, order, advice } = change
  return (
    <article class="change">
      <h3>
        <span class="badge">{code}</span> <Place system={system} change={change} />
      </h3>
      <p>
        {title}: <ShownCode class="break" text={what} />
      </p>
      {level === "harmless" ? null : (
        <>
          <p class="quiet">{why}</p>
          <Verdicts of={change} about={path} />
          <p>
            <b>Order:</b> {orderText(order)}
          </p>
        </>
      )}
      {advice.length === 0 ? null : (
        <ul class="todo">
          {advice.map(({ when, command, text }) => (
            <li key={`${when} ${text}`}>
              <b>{when}:</b> {text}
              {command === undefined ? null : (
                <span class="command">
                  <ShownCode class="break" text={command} />
                  <CopyButton text={command} what="the command" />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </article>
  )
}

/** Where it is: the pattern in this schema, with its keys on this server; or only its name, if it went. */
function Place({ system, change: { path, pattern } }: { readonly system: string; readonly change: ShownChange }) {
  const text = <ShownCode text={path} />
  if (pattern === undefined) return text
  const keys = counts.value[system]?.get(pattern)?.keys
  return (
    <>
      <a href={href("schema", [system, pattern])}>{text}</a>
      {keys === undefined ? null : (
        <a class="quiet small" href={href("browse", [system, pattern])}>
          {counted(keys, "key")}
        </a>
      )}
    </>
  )
}
