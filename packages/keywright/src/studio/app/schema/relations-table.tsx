import { throughText } from "../../../render/titles.ts"
import type { DocPage } from "../../api.ts"
import { Card } from "../parts/card.tsx"
import { InlineCode } from "../parts/inline-code.tsx"
import { Table } from "../parts/table.tsx"

export const RelationsTable = ({ relations }: { readonly relations: DocPage["relations"] }) =>
  relations.length === 0 ? null : (
    <Card title="Relations">
      <Table columns={["Relation", "Leads to", "Through", "Note"]}>
        {relations.map(({ entity, name, target, many, via, doc }) => (
          <tr key={`${entity}.${name}`}>
            <td>
              <code>
                {entity}.{name}
              </code>
            </td>
            <td>
              {many ? "many" : "one"} {target}
            </td>
            <td class="quiet">
              <InlineCode text={throughText({ via, target }, (name) => `\`${name}\``)} />
            </td>
            <td class="quiet">
              <InlineCode text={doc ?? ""} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  )
