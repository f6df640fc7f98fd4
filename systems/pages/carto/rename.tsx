import { Card } from "studio/parts/card.tsx"
import { SmallForm } from "../parts/small-form.tsx"
import { rename } from "./state.ts"

/** A rename takes the record and every map view along, and leaves nothing under the old name. */
export const Rename = () => (
  <Card title="Rename this user">
    <div class="body stack">
      <p class="quiet small">
        The record and every key of map views move in one step. A name that is taken is refused.
      </p>
      <SmallForm label="New user name" placeholder="new-name" button="Rename" onSubmit={rename} />
    </div>
  </Card>
)
