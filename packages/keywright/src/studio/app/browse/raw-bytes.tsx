/* A string as it is stored, however long: the first part comes with the key, the others
 * on request. */

import { useState } from "preact/hooks"
import { bytesText } from "../../../render/quantity.ts"
import type { BytesSlice, Cell, KeyDetail } from "../../api.ts"
import { FailureNote } from "../parts/failure-note.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import { call } from "../state/call.ts"
import { useAttempt } from "../state/use-attempt.ts"
import { Redacted } from "../parts/redacted.tsx"
import { bytesOf, hexDump } from "./hex-dump.ts"
import { RawText } from "./raw-text.tsx"

interface Props {
  readonly system: string
  readonly detail: KeyDetail
  readonly value: Cell
  readonly isRevealed: boolean
}

const PART = 65_536

export function RawBytes({ system, detail, value, isRevealed }: Props) {
  const [parts, setParts] = useState<readonly BytesSlice[]>([])
  const { error, attempt } = useAttempt()
  if (value.raw === undefined)
    return (
      <div class="body">
        <Redacted />
      </div>
    )
  const { raw } = value
  const shown = parts.at(-1)?.next ?? PART
  const isMore = raw.cut && (parts.length === 0 || parts.at(-1)?.next !== undefined)
  const more = () =>
    attempt(async () => {
      const part = await sliceFrom(system, detail, parts.at(-1)?.next ?? 0, isRevealed)
      if (part !== undefined) setParts([...parts, part])
    })
  return (
    <div class="body stack-small">
      {parts.length === 0 ? (
        <RawText raw={{ ...raw, cut: false }} large />
      ) : (
        parts.map((part) => (
          <code key={part.from} class="pre">
            {part.text === undefined ? hexDump(bytesOf(part.base64), part.from) : <ShownText text={part.text} lines />}
          </code>
        ))
      )}
      {error === undefined ? null : <FailureNote error={error} />}
      {isMore ? (
        <p class="quiet small">
          {parts.length === 0 ? "The beginning" : bytesText(shown)} of {bytesText(raw.bytes)}.{" "}
          <button type="button" class="link" onClick={() => void more()}>
            Show more
          </button>
        </p>
      ) : null}
    </div>
  )
}

async function sliceFrom(system: string, { db, ref }: KeyDetail, from: number, isRevealed: boolean) {
  if (!isRevealed) return call("GET /api/systems/:system/bytes", { system, query: { db, ref, from, count: PART } })
  const body = { db, ref, what: "bytes", from, count: PART } as const
  const answer = await call("POST /api/systems/:system/reveal", { system, body })
  return "bytes" in answer ? answer.bytes : undefined
}
