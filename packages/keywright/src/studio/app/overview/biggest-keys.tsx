import { bytesText } from "../../../render/quantity.ts"
import type { DatabaseOverview } from "../../api.ts"
import { Card } from "../parts/card.tsx"
import { KeyLinkText } from "../parts/key-link.tsx"
import { Table } from "../parts/table.tsx"
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
      <Table arrows>
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
      </Table>
    </Card>
  )
}
