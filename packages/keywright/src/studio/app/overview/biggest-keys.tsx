import { bytesText } from "../../../render/quantity.ts"
import type { DatabaseOverview } from "../../api.ts"
import { arrowRows } from "../parts/arrow-rows.ts"
import { Card } from "../parts/card.tsx"
import { KeyLinkText } from "../parts/key-link.tsx"
import { TypeName } from "../parts/type-name.tsx"

interface Props {
  readonly system: string
  readonly databases: readonly DatabaseOverview[]
}

/** Where single keys are large. */
export function BiggestKeys({ system, databases }: Props) {
  const biggest = databases
    .flatMap((one) => one.biggest)
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, 8)
  if (biggest.length === 0) return null
  return (
    <Card title="Biggest keys">
      <div class="scroll">
        <table class="table" onKeyDown={arrowRows}>
          <tbody>
            {biggest.map((key) => (
              <tr class="go" key={`${key.db} ${key.ref}`}>
                <td>
                  <KeyLinkText system={system} link={key} row />
                </td>
                <td>
                  <TypeName type={key.type} />
                </td>
                <td class="number">{bytesText(key.bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
