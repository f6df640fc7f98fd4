import { useState } from "preact/hooks"
import type { Edit, KeyDetail } from "../../api.ts"
import { ConfirmEdit } from "../edit/confirm-edit.tsx"
import { Button } from "../parts/button.tsx"
import { Icon } from "../parts/icon.tsx"
import { IconButton } from "../parts/icon-button.tsx"
import { href } from "../state/route.ts"
import { session } from "../state/studio.ts"

interface Props {
  readonly system: string
  readonly detail: KeyDetail
  readonly isRevealed: boolean
  readonly onReveal: () => void
  readonly onRefresh: () => void
}

export function KeyActions({ system, detail, isRevealed, onReveal, onRefresh }: Props) {
  const [edit, setEdit] = useState<Edit | undefined>(undefined)
  const { db, ref, seen, name, edits, hidden } = detail
  const canWrite = session.value?.write === true
  return (
    <>
      <IconButton icon="refresh" label="Read again" onClick={onRefresh} />
      {isRevealed ? (
        <Button text="Hide secrets" onClick={onRefresh} />
      ) : hidden && session.value?.reveal ? (
        <button type="button" class="button" onClick={onReveal}>
          <Icon name="eye" /> Reveal secrets
        </button>
      ) : null}
      {canWrite && edits.includes("delete") ? (
        <Button look="danger" text="Delete" onClick={() => setEdit({ op: "delete", db, ref, seen })} />
      ) : null}
      {canWrite && edits.includes("change") && name !== undefined ? (
        <a class="button first" href={href("edit", [system, name], { db: String(db), ref })}>
          Edit
        </a>
      ) : null}
      {edit === undefined ? null : (
        <ConfirmEdit
          system={system}
          edit={edit}
          onClose={() => setEdit(undefined)}
          onDone={() => (setEdit(undefined), onRefresh())}
        />
      )}
    </>
  )
}
