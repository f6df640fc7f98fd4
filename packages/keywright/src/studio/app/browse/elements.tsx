/* The elements of a collection, page by page: as long as it may be, the page holds one
 * page of it. With --write, elements can be added, changed and removed. */

import { useState } from "preact/hooks"
import { countText } from "../../../render/quantity.ts"
import type { Edit, ElementsPage, KeyDetail } from "../../api.ts"
import { ConfirmEdit } from "../edit/confirm-edit.tsx"
import { ElementForm } from "../edit/element-form.tsx"
import { Empty } from "../parts/empty.tsx"
import { ExportShown } from "../parts/export-shown.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { IconButton } from "../parts/icon-button.tsx"
import { Pager } from "../parts/pager.tsx"
import { Table } from "../parts/table.tsx"
import { call } from "../state/call.ts"
import { session } from "../state/studio.ts"
import { CellView } from "./cell-view.tsx"
import { plainOf } from "./export-cells.ts"
import type { Form } from "./value-form.ts"
import { useAttempt } from "../state/use-attempt.ts"
import { useStateOf } from "../state/use-state-of.ts"

interface Props {
  readonly system: string
  readonly detail: KeyDetail
  readonly first: ElementsPage
  readonly form: Form
  readonly isRevealed: boolean
}

type ElementRow = ElementsPage["rows"][number]

export function Elements({ system, detail, first, form, isRevealed }: Props) {
  const [pages, setPages] = useStateOf<readonly ElementsPage[]>(first, [first])
  const { error, attempt } = useAttempt()
  const [edit, setEdit] = useState<Edit | undefined>(undefined)
  const [put, setPut] = useState<{ row?: ElementRow } | undefined>(undefined)
  const { db, ref, edits } = detail
  const page = pages.at(-1) ?? first
  const from = pages.slice(0, -1).reduce((sum, { rows }) => sum + rows.length, 0)
  const isLast = page.ordered && from + page.rows.length >= page.total
  const load = (cursor: string | undefined, before: readonly ElementsPage[]) =>
    attempt(async () => {
      let next = await pageAt(system, detail, cursor, isRevealed)
      // A scan may pass empty buckets.
      while (next?.rows.length === 0 && next.next !== undefined)
        next = await pageAt(system, detail, next.next, isRevealed)
      if (next === undefined) return
      const last = before.at(-1)
      // There was nothing more after all: the page stays, as the last one.
      if (next.rows.length === 0 && last !== undefined) {
        setPages([...before.slice(0, -1), { ...last, next: undefined }])
      } else setPages([...before, next])
    })
  const done = () => {
    setEdit(undefined)
    setPut(undefined)
    void load(undefined, [])
  }
  const canPut = session.value?.write === true && edits.includes("put")
  const canRemove = session.value?.write === true && edits.includes("remove")
  return (
    <>
      {page.rows.length === 0 ? (
        <Empty title={from === 0 ? "No elements" : "No further elements"} />
      ) : (
        <Table class="elements" columns={[...page.columns, canPut || canRemove ? { unseen: "Edit" } : undefined]}>
          {page.rows.map((row, i) => (
            <tr key={i}>
              {row.cells.map((cell, column) => (
                <td key={column} class="break">
                  <CellView system={system} cell={cell} form={form} />
                </td>
              ))}
              {canPut || canRemove ? (
                <td class="row-tools">
                  {canPut ? (
                    <IconButton tiny icon="edit" label="Change this element" onClick={() => setPut({ row })} />
                  ) : null}
                  {canRemove ? (
                    <IconButton
                      tiny
                      icon="trash"
                      label="Remove this element"
                      onClick={() => setEdit({ op: "remove", db, ref, element: row.element })}
                    />
                  ) : null}
                </td>
              ) : null}
            </tr>
          ))}
        </Table>
      )}
      {error === undefined ? null : <FailureNote error={error} />}
      <Pager
        onBack={pages.length > 1 ? () => setPages(pages.slice(0, -1)) : undefined}
        onNext={page.next === undefined || isLast ? undefined : () => void load(page.next, pages)}
      >
        {page.rows.length === 0
          ? ""
          : `${countText(from + 1)}–${countText(from + page.rows.length)} of ${countText(Math.max(page.total, from + page.rows.length))}${page.ordered ? "" : ", in no order"}`}
        <ExportShown
          name={`${system}-${detail.name ?? "key"}`}
          columns={page.columns}
          rows={page.rows.map(({ cells }) => cells.map(plainOf))}
        />
        {canPut ? (
          <button type="button" class="link add" onClick={() => setPut({})}>
            Add an element
          </button>
        ) : null}
      </Pager>
      {edit === undefined ? null : (
        <ConfirmEdit system={system} edit={edit} onClose={() => setEdit(undefined)} onDone={done} />
      )}
      {put === undefined ? null : (
        <ElementForm
          system={system}
          detail={detail}
          columns={page.columns}
          row={put.row}
          onClose={() => setPut(undefined)}
          onDone={done}
        />
      )}
    </>
  )
}

async function pageAt(system: string, { db, ref }: KeyDetail, cursor: string | undefined, isRevealed: boolean) {
  const given = { db, ref, ...(cursor !== undefined && { cursor }) }
  if (!isRevealed) return call("GET /api/systems/:system/elements", { system, query: given })
  const answer = await call("POST /api/systems/:system/reveal", { system, body: { ...given, what: "elements" } })
  return "elements" in answer ? answer.elements : undefined
}
