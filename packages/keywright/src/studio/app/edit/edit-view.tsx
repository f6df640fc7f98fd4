import type { KeyDetail } from "../../api.ts"
import { Empty } from "../parts/empty.tsx"
import { FailurePage } from "../parts/failure-note.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { call } from "../state/call.ts"
import { href, route } from "../state/route.ts"
import { schemas, session } from "../state/studio.ts"
import { useAnswer } from "../state/use-answer.ts"
import { EditFormPage } from "./edit-form-page.tsx"

/** `#/edit/shop/row` creates one; with `?db=0&ref=…` it changes that one. */
export function EditView() {
  const { path, query } = route.value
  const [system = "", name = ""] = path
  const { db, ref } = query
  const form = schemas.value[system]?.forms[name]
  const { data, error, again } = useAnswer<KeyDetail>(
    ref === undefined ? undefined : `${system} ${db} ${ref}`,
    (signal) => call("GET /api/systems/:system/key", { system, query: { db: Number(db), ref: ref ?? "" }, signal }),
  )
  if (session.value?.write !== true)
    return (
      <Empty title="The studio is read-only">
        <p>
          Start it with <code>--write</code> to create, change and delete. Every edit then goes through the repository,
          so that indexes stay consistent.
        </p>
      </Empty>
    )
  if (form === undefined)
    return (
      <Empty title="This cannot be edited by hand">
        <p>
          Indexes, lists of ids and counters follow their records. <a href={href("changes")}>What can be created</a>
        </p>
      </Empty>
    )
  if (error !== undefined) return <FailurePage error={error} again={again} />
  if (ref !== undefined && data === undefined) return <Skeleton rows={8} />
  return (
    <EditFormPage
      key={`${system} ${name} ${data?.seen ?? ""}`}
      system={system}
      form={form}
      detail={data}
      onStale={again}
    />
  )
}
