import { useState } from "preact/hooks"
import type { KeyDetail } from "../../api.ts"
import { Card } from "../parts/card.tsx"
import { Tabs } from "../parts/tabs.tsx"
import { CellView } from "./cell-view.tsx"
import { Elements } from "./elements.tsx"
import { FieldsTable } from "./fields-table.tsx"
import { RawBytes } from "./raw-bytes.tsx"
import { type Form, forms } from "./value-form.ts"

interface Props {
  readonly system: string
  readonly detail: KeyDetail
  readonly isRevealed: boolean
}

/** The value of a key: decoded, or as it is stored. */
export function KeyValue({ system, detail, isRevealed }: Props) {
  const [form, setForm] = useState<Form>("decoded")
  const { value, fields, elements } = detail
  return (
    <Card title="Value" aside={<Tabs label="Form of the value" tabs={forms} chosen={form} onChoose={setForm} />}>
      {detail.name === undefined && detail.hidden && !isRevealed ? (
        <p class="body quiet">No pattern owns this key: what it holds may be secret, and is hidden until you ask.</p>
      ) : null}
      {form === "raw" && value !== undefined ? (
        <RawBytes system={system} detail={detail} value={value} isRevealed={isRevealed} />
      ) : fields !== undefined ? (
        <FieldsTable system={system} fields={fields} form={form} />
      ) : value !== undefined ? (
        <div class="body">
          <CellView system={system} cell={value} form={form} large />
        </div>
      ) : null}
      {elements === undefined ? null : (
        <Elements system={system} detail={detail} first={elements} form={form} isRevealed={isRevealed} />
      )}
    </Card>
  )
}
