import type { IndexInfo } from "../../api.ts"
import { go, href, route } from "../state/route.ts"
import { useStateOf } from "../state/use-state-of.ts"

interface Props {
  readonly system: string
  readonly name: string
  readonly indexes: readonly IndexInfo[]
}

/** Records by one of their indexes: the choice goes into the address, as that of parameters does. */
export function IndexFilter({ system, name, indexes }: Props) {
  const { query } = route.value
  const chosen = indexes.find((one) => one.name === query["index"])
  const show = (next: Readonly<Record<string, string | undefined>>) =>
    go(href("browse", [system, name], next), "replace")
  const choose = (index: string) => show(index === "" ? {} : { index })
  return (
    <div class="filter" role="group" aria-label="Filter by an index">
      <label class="combo">
        <span>By index</span>
        <select class="input" value={chosen?.name ?? ""} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="">none</option>
          {indexes.map(({ name: index, label, kind }) => (
            <option key={index} value={index}>
              {label} ({kind})
            </option>
          ))}
        </select>
      </label>
      {chosen?.params.map(({ name: param, type, choices }) => (
        <IndexParam
          key={`${chosen.name} ${param}`}
          name={param}
          type={type}
          choices={choices}
          value={query[`x.${param}`] ?? ""}
          onChoose={(text) => show({ ...query, [`x.${param}`]: text === "" ? undefined : text })}
        />
      ))}
      {chosen?.kind === "ordered" ? (
        <label class="combo">
          <span>Order</span>
          <select
            class="input"
            value={query["descending"] ?? ""}
            onChange={({ currentTarget }) => show({ ...query, descending: currentTarget.value || undefined })}
          >
            <option value="">lowest {chosen.score} first</option>
            <option value="1">highest {chosen.score} first</option>
          </select>
        </label>
      ) : null}
    </div>
  )
}

interface ParamProps {
  readonly name: string
  readonly type: string
  readonly choices: readonly string[] | undefined
  readonly value: string
  readonly onChoose: (text: string) => void
}

/** What was typed counts when it is left, or with Enter: every letter would be another question. */
function IndexParam({ name, type, choices, value, onChoose }: ParamProps) {
  const [text, setText] = useStateOf(value, value)
  const take = () => text !== value && onChoose(text)
  return (
    <label class="combo">
      <span>
        <code>{`{${name}}`}</code> <span class="quiet">{type}</span>
      </span>
      {choices === undefined ? (
        <input
          class="input"
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder="exactly"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onBlur={take}
          onKeyDown={({ key }) => key === "Enter" && take()}
        />
      ) : (
        <select class="input" value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
          <option value="">choose</option>
          {choices.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      )}
    </label>
  )
}
