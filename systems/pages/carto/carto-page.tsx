import { ShownText } from "studio/parts/shown-text.tsx"
import { LoginForm } from "../parts/login-form.tsx"
import { Frame } from "../shell/frame.tsx"
import { about, isDemo } from "../state/about.ts"
import { useFresh } from "../state/refresh.ts"
import { Queries } from "./queries.tsx"
import { Rename } from "./rename.tsx"
import { enter, leave, load, user, why } from "./state.ts"
import { Views } from "./views.tsx"

/** A map user's views and queries. */
export function CartoPage() {
  useFresh(load)
  const found = user.value
  if (found === undefined)
    return (
      <Frame>
        <WayIn />
      </Frame>
    )
  return (
    <Frame account={<Account name={found.username} />}>
      <div class="page">
        <div class="page-head">
          <div>
            <h1>
              Maps of <ShownText text={found.username} />
            </h1>
            <p class="lead">
              User {found.id}, whose tables are in <code>{found.database_name}</code>; six logical databases of Redis
              know something of them.
            </p>
          </div>
        </div>
        <div class="columns">
          <Views />
          <div class="stack">
            <Queries />
            <Rename />
          </div>
        </div>
      </div>
    </Frame>
  )
}

const Account = ({ name }: { readonly name: string }) => (
  <div class="account">
    <b class="cut">
      <ShownText text={name} />
    </b>
    <button type="button" class="button small" onClick={() => leave()}>
      Leave
    </button>
  </div>
)

function WayIn() {
  const known = about.value?.access?.people["carto"] ?? []
  return (
    <div class="page">
      <LoginForm
        title="Maps"
        lead={isDemo.value ? `A map user: ${known.slice(0, 5).join(", ")} …` : "With your name and your API key."}
        why={why.value}
        fields={[
          { name: "username", label: "User name", value: known[0] ?? "", autocomplete: "username" },
          ...(isDemo.value ? [] : [{ name: "apiKey", label: "API key", type: "password" as const }]),
        ]}
        button="Open the dashboard"
        onSubmit={({ username = "", apiKey }) => enter(username, apiKey)}
      />
    </div>
  )
}
