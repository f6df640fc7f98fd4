import type { ConsoleAnswer, Failure } from "../../api.ts"
import { FailureNote } from "../parts/failure-note.tsx"
import { hrefOfKey, KeyLinkText } from "../parts/key-link.tsx"
import { ShownCode } from "../parts/shown-text.tsx"
import { ReplyView } from "./reply-view.tsx"

export interface EnteredLine {
  readonly at: number
  readonly db: number
  readonly line: string
  readonly answer?: ConsoleAnswer
  readonly error?: Failure["error"]
}

interface Props {
  readonly system: string
  readonly entry: EnteredLine
}

/** A line that was run, and what came of it. */
export const ConsoleEntry = ({ system, entry: { db, line, answer, error } }: Props) => (
  <li class="console-entry">
    <p>
      <span class="quiet">{db}&gt;</span> <ShownCode class="break" text={line} />
      {answer?.outcome === "done" ? (
        <span class="quiet small">
          {" "}
          <span class={answer.access === "write" ? "badge warn" : "badge"}>{answer.access}</span> {answer.tookMs} ms
        </span>
      ) : null}
    </p>
    {error === undefined ? null : <FailureNote error={error} />}
    {answer?.outcome === "done" ? <ReplyView system={system} reply={answer.reply} /> : null}
    {answer?.outcome === "editor" ? (
      <div class="console-editor">
        <p>{answer.text}</p>
        <ul>
          {answer.keys.map((link) => (
            <li key={link.ref}>
              <KeyLinkText system={system} link={link} />{" "}
              <a class="button small" href={hrefOfKey(system, link)}>
                Open
              </a>
            </li>
          ))}
        </ul>
      </div>
    ) : null}
  </li>
)
