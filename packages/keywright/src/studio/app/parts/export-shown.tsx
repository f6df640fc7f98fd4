import { download } from "../state/download.ts"
import { Button } from "./button.tsx"
import { csvText } from "./csv.ts"
import { jsonText } from "./json-rows.ts"

interface Props {
  /** The name of the file, without its ending. */
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** Saves exactly what a table shows: nothing more is read, and what is hidden stays hidden. */
export function ExportShown({ name, columns, rows }: Props) {
  const file = name.replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "") || "keys"
  const csv = () => download(`${file}.csv`, "text/csv", csvText(columns, rows))
  const json = () => download(`${file}.json`, "application/json", jsonText(columns, rows))
  return (
    <span class="export" role="group" aria-label="Export what is shown">
      <Button look="small" text="CSV" disabled={rows.length === 0} onClick={csv} />
      <Button look="small" text="JSON" disabled={rows.length === 0} onClick={json} />
    </span>
  )
}
