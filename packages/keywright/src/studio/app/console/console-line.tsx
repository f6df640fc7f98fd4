/* The input of the console: it completes commands and keys, says what the command will do, and
 * brings back earlier lines. */

import { useId, useRef, useState } from "preact/hooks"
import type { ConsoleCompletion, SystemInfo } from "../../api.ts"
import { Button } from "../parts/button.tsx"
import { ComboBox } from "../parts/combo-box.tsx"
import { ShownCode, ShownText } from "../parts/shown-text.tsx"
import { call } from "../state/call.ts"

interface Props {
  readonly system: string
  readonly db: number
  readonly databases: SystemInfo["databases"]
  readonly busy: boolean
  /** The newest first. */
  readonly earlier: readonly string[]
  readonly onDb: (db: number) => void
  readonly onRun: (line: string) => void
}

const NOTHING: ConsoleCompletion = { from: 0, options: [] }

export function ConsoleLine({ system, db, databases, busy, earlier, onDb, onRun }: Props) {
  const id = useId()
  const [line, setLine] = useState("")
  const [found, setFound] = useState(NOTHING)
  const [at, setAt] = useState(-1)
  const [back, setBack] = useState(-1)
  const abort = useRef<AbortController>(undefined)
  const { options, command, from } = found
  const type = (text: string) => {
    setLine(text)
    setBack(-1)
    setAt(-1)
    abort.current?.abort()
    const asking = new AbortController()
    abort.current = asking
    if (text.trim() === "") return setFound(NOTHING)
    call("POST /api/systems/:system/console/complete", {
      system,
      body: { db, line: text },
      signal: asking.signal,
    }).then(
      (answer) => !asking.signal.aborted && setFound(answer),
      () => !asking.signal.aborted && setFound(NOTHING),
    )
  }
  const take = (text: string) => type(`${line.slice(0, from)}${text}${/[:{]$/.test(text) ? "" : " "}`)
  const run = () => {
    if (line.trim() === "" || busy) return
    abort.current?.abort()
    onRun(line.trim())
    setLine("")
    setFound(NOTHING)
  }
  const recall = (step: number) => {
    const next = Math.max(-1, Math.min(earlier.length - 1, back + step))
    setBack(next)
    setLine(next < 0 ? "" : earlier[next]!)
    setFound(NOTHING)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (options.length > 0) setAt((at + step + options.length) % options.length)
      else recall(-step)
    }
    if (event.key === "Tab" && !event.shiftKey && options.length > 0) {
      event.preventDefault()
      take(options[Math.max(0, at)]!.text)
    }
    if (event.key === "Escape") setFound(NOTHING)
    if (event.key === "Enter") {
      event.preventDefault()
      if (at >= 0 && options[at] !== undefined) take(options[at].text)
      else run()
    }
  }
  return (
    <div class="console-line">
      {databases.length > 1 ? (
        <label class="console-db">
          <span class="quiet small">Database</span>
          <select class="input" value={String(db)} onChange={({ currentTarget }) => onDb(Number(currentTarget.value))}>
            {databases.map(({ db: one, name }) => (
              <option key={one} value={String(one)}>
                {one} {name ?? ""}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <div class="combo console-input">
        <label for={id} class="quiet small">
          Command
        </label>
        <ComboBox
          id={id}
          value={line}
          placeholder="GET key"
          options={options.map(({ text, about }) => ({ text, shown: <Suggestion text={text} about={about} /> }))}
          listLabel="Suggestions"
          isOpen={options.length > 0}
          at={at}
          onType={type}
          onTake={take}
          onKeyDown={press}
          onBlur={() => setFound((now) => ({ ...now, options: [] }))}
        />
      </div>
      <Button look="first" text="Run" disabled={busy || line.trim() === ""} onClick={run} />
      <p class="quiet small console-hint" role="status">
        {command === undefined
          ? ""
          : `${command.name} ${command.usage} · ${command.access === "read" ? "reads" : "writes"}`}
      </p>
    </div>
  )
}

const Suggestion = ({ text, about }: ConsoleCompletion["options"][number]) => (
  <>
    <ShownCode text={text} />{" "}
    <span class="quiet small">
      <ShownText text={about} />
    </span>
  </>
)
