import type { Cell } from "../../api.ts"
import { hrefOfKey } from "../parts/key-link.tsx"
import { Redacted } from "../parts/redacted.tsx"
import { RawText } from "./raw-text.tsx"
import { ShownValue } from "./shown-value.tsx"
import type { Form } from "./value-form.ts"

interface Props {
  readonly system: string
  readonly cell: Cell
  readonly form: Form
  /** The whole value of a key, not one of a table. */
  readonly large?: boolean
}

/** One value. What its codec does not read is shown as it is stored, and why. */
export function CellView({ system, cell, form, large = false }: Props) {
  const { decoded, error, raw, secret, link } = cell
  if (secret && (form === "raw" ? raw === undefined : isSecret(decoded))) return <Redacted />
  if (form === "raw") return raw === undefined ? <span class="quiet">absent</span> : <RawText raw={raw} large={large} />
  if (decoded !== undefined) {
    const value = <ShownValue value={decoded} large={large} />
    return link === undefined ? (
      value
    ) : (
      <a class="cell-link" href={hrefOfKey(system, link)} title={link.key}>
        {value}
      </a>
    )
  }
  if (raw === undefined && error === undefined) return <span class="quiet">absent</span>
  return (
    <>
      {raw === undefined ? null : <RawText raw={raw} large={large} />}
      {error === undefined ? null : <p class="cell-error">{error}</p>}
    </>
  )
}

const isSecret = (value: Cell["decoded"]): boolean =>
  value === undefined || (typeof value === "object" && value !== null && "~" in value && value["~"] === "secret")
