import type { DocPage } from "../../api.ts"
import { Card } from "../parts/card.tsx"
import { InlineCode } from "../parts/inline-code.tsx"
import { Pattern } from "../parts/pattern.tsx"
import { Table } from "../parts/table.tsx"

/** Scripts of the application's own. */
export const Steps = ({ steps }: { readonly steps: DocPage["steps"] }) =>
  steps.length === 0 ? null : (
    <Card title="Atomic steps" aside="each happens whole or not at all">
      <Table columns={["Step", "What it does", "Keys"]}>
        {steps.map(({ name, doc, keys, args, once }) => (
          <tr key={name}>
            <td>
              <code class="break">
                {name}({args.join(", ")})
              </code>{" "}
              {once ? <span class="badge">once per operation id</span> : null}
            </td>
            <td>
              <InlineCode text={doc ?? ""} />
            </td>
            <td>
              {keys.map((key) => (
                <div key={key}>
                  <Pattern of={key} />
                </div>
              ))}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  )
