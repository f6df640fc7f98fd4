import { useState } from "preact/hooks"
import { countText } from "../../../render/quantity.ts"
import { refusedText } from "../../../render/unreadable-text.ts"
import type { KeyDetail, KeyRelation } from "../../api.ts"
import { arrowRows } from "../parts/arrow-rows.ts"
import { FailureNote } from "../parts/failure-note.tsx"
import { KeyLinkText } from "../parts/key-link.tsx"
import { call } from "../state/call.ts"
import { useAttempt } from "../state/use-attempt.ts"

const titles: readonly { readonly how: KeyRelation["how"]; readonly text: string }[] = [
  { how: "to", text: "Refers to" },
  { how: "from", text: "Referred to by" },
  { how: "holds", text: "Holds" },
  { how: "index", text: "Found through" },
  { how: "same", text: "The same id elsewhere" },
]

interface Props {
  readonly system: string
  readonly detail: KeyDetail
}

/** Other keys that have to do with this one, by what they are to it. */
export const Relations = ({ system, detail }: Props) => (
  <div class="body relations" onKeyDown={arrowRows}>
    {titles.map(({ how, text }) => {
      const own = detail.relations.filter((one) => one.how === how)
      return own.length === 0 ? null : (
        <section key={how}>
          <h3>{text}</h3>
          {own.map((relation) => (
            <OneRelation
              key={`${relation.name} ${relation.target}`}
              system={system}
              detail={detail}
              relation={relation}
            />
          ))}
        </section>
      )
    })}
  </div>
)

interface OneProps extends Props {
  readonly relation: KeyRelation
}

function OneRelation({ system, detail, relation }: OneProps) {
  const [more, setMore] = useState<KeyRelation["links"]>([])
  const [next, setNext] = useState(relation.next)
  const { error, attempt } = useAttempt()
  const { db, ref } = detail
  const load = (cursor: string) =>
    attempt(async () => {
      const query = { db, ref, relation: relation.name, how: relation.how, cursor }
      const page = await call("GET /api/systems/:system/related", { system, query })
      setMore([...more, ...page.links])
      setNext(page.next)
    })
  const links = [...relation.links, ...more]
  return (
    <div class="relation">
      {relation.how === "same" ? null : (
        <p title={relation.doc}>
          {relation.name} {relation.count === null ? null : <span class="badge">{countText(relation.count)}</span>}
          {relation.unreadable === undefined ? null : (
            <span class="badge warn" title={refusedText(relation.unreadable).join("\n")}>
              not readable
            </span>
          )}
        </p>
      )}
      <ul>
        {links.map((link) => (
          <li key={`${link.db} ${link.ref}`}>
            <KeyLinkText system={system} link={link} row />
            {link.exists !== false ? null : <span class="badge bad">does not exist</span>}
            {link.exists !== null ? null : <span class="badge warn">not readable</span>}
          </li>
        ))}
      </ul>
      {error === undefined ? null : <FailureNote error={error} />}
      {next === undefined ? null : (
        <button type="button" class="link small" onClick={() => void load(next)}>
          Show more
        </button>
      )}
    </div>
  )
}
