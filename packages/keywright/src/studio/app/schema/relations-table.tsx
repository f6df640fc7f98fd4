import type { DocPage } from "../../api.ts"
import { Card } from "../parts/card.tsx"
import { InlineCode } from "../parts/inline-code.tsx"

interface Props {
  readonly relations: DocPage["relations"]
}

export const RelationsTable = ({ relations }: Props) =>
  relations.length === 0 ? null : (
    <Card title="Relations">
      <div class="scroll">
        <table class="table">
          <thead>
            <tr>
              <th>Relation</th>
              <th>Leads to</th>
              <th>Through</th>
              <th>Note</th>
            </tr>
          </thead>
          <tbody>
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
                  <InlineCode
                    text={
                      "field" in via
                        ? `its \`${via.field}\``
                        : "index" in via
                          ? `index \`${via.index}\` of ${target}`
                          : `the set \`${via.set}\``
                    }
                  />
                </td>
                <td class="quiet">
                  <InlineCode text={doc ?? ""} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
