import { ShownText } from "studio/parts/shown-text.tsx"
import { LoginForm } from "../parts/login-form.tsx"
import { Account } from "../shell/account.tsx"
import { Frame } from "../shell/frame.tsx"
import { Story } from "../shell/story.tsx"
import { about, isDemo } from "../state/about.ts"
import { useFresh } from "../state/refresh.ts"
import { Queries } from "./queries.tsx"
import { Rename } from "./rename.tsx"
import { enter, lastName, leave, load, user, why } from "./state.ts"
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
    <div class="page">
      <LoginForm
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
    </div>
  )
}
