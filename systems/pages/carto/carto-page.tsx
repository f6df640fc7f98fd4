import { ShownText } from "studio/parts/shown-text.tsx"
import { LoginPage } from "../parts/login-form.tsx"
import { Account } from "../shell/account.tsx"
import { Story } from "../shell/story.tsx"
import { about, isDemo } from "../state/about.ts"
import { useFresh } from "../state/refresh.ts"
import { Queries } from "./queries.tsx"
import { enter, lastName, leave, load, rename, user, why } from "./state.ts"
import { Views } from "./views.tsx"
import { Card } from "studio/parts/card.tsx"
import { SmallForm } from "../parts/small-form.tsx"

/** A map user's views and queries. */
export function CartoPage() {
  useFresh(load)
  const found = user.value
  if (found === undefined) return <WayIn />
  return (
    <Story
      account={<Account name={found.username} button="Leave" onLeave={leave} />}
      title={
        <>
          Maps of <ShownText text={found.username} />
        </>
      }
      lead={
        <>
          User {found.id}, with tables in <code>{found.database_name}</code>. Redis keeps what it knows of them in six
          logical databases.
        </>
      }
      aside={
        <>
          <Queries />
          <Rename />
        </>
      }
    >
      <Views />
    </Story>
  )
}

function WayIn() {
  const known = about.value?.access?.people["carto"] ?? []
  return (
    <LoginPage
      title="Maps"
      lead={
        isDemo.value
          ? `Open a map user's dashboard: ${known.slice(0, 5).join(", ")} …`
          : "With your user name and your API key."
      }
      why={why.value}
      fields={[
        { name: "username", label: "User name", value: lastName.get() ?? known[0] ?? "", autocomplete: "username" },
        ...(isDemo.value ? [] : [{ name: "apiKey", label: "API key", type: "password" as const }]),
      ]}
      button="Open the dashboard"
      onSubmit={({ username = "", apiKey }) => enter(username, apiKey)}
    />
  )
}

/** A rename moves the record and every map view, and leaves nothing under the old name. */
const Rename = () => (
  <Card title="Rename this user">
    <div class="body stack">
      <p class="quiet small">
        The record and every key of map views move in one step. A name that is taken is refused.
      </p>
      <SmallForm label="New user name" placeholder="new-name" button="Rename" onSubmit={rename} />
    </div>
  </Card>
)
