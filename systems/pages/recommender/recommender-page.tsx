import { LoginForm } from "../parts/login-form.tsx"
import { Frame } from "../shell/frame.tsx"
import { about } from "../state/about.ts"
import { useFresh } from "../state/refresh.ts"
import { Feed } from "./feed.tsx"
import { Night } from "./night.tsx"
import { ReaderCard } from "./reader-card.tsx"
import { enter, leave, load, reader } from "./state.ts"

/** The recommender: a feed with its reasons, and the night that makes the next one. */
export function RecommenderPage() {
  useFresh(load)
  const id = reader.value
  if (id === undefined)
    return (
      <Frame>
        <WayIn />
      </Frame>
    )
  return (
    <Frame account={<Account id={id} />}>
      <div class="page">
        <div class="page-head">
          <div>
            <h1>Posts for reader {id}</h1>
            <p class="lead">Each says why it is here. What you like counts from the next night on.</p>
          </div>
        </div>
        <div class="columns">
          <Feed />
          <div class="stack">
            <Night />
            <ReaderCard />
          </div>
        </div>
      </div>
    </Frame>
  )
}

const Account = ({ id }: { readonly id: string }) => (
  <div class="account">
    <b>Reader {id}</b>
    <button type="button" class="button small" onClick={leave}>
      Leave
    </button>
  </div>
)

function WayIn() {
  const known = about.value?.access?.people["recommender"] ?? []
  return (
    <div class="page">
      <LoginForm
        title="The recommender"
        lead={
          known.length === 0 ? "A reader is a number." : `A reader is a number: 1 to ${known.length} have read here.`
        }
        fields={[{ name: "id", label: "Reader", value: known[0] ?? "1" }]}
        button="Show the feed"
        onSubmit={({ id = "" }) => enter(id.trim())}
      />
    </div>
  )
}
