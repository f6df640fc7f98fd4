import { LoginPage } from "../parts/login-form.tsx"
import { Account } from "../shell/account.tsx"
import { Story } from "../shell/story.tsx"
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
  if (id === undefined) return <WayIn />
  return (
    <Story
      account={<Account name={`Reader ${id}`} button="Leave" onLeave={leave} />}
      title={`Posts for reader ${id}`}
      lead="Each post says why it is here. What you like counts from the next nightly run on."
      aside={
        <>
          <Night />
          <ReaderCard />
        </>
      }
    >
      <Feed />
    </Story>
  )
}

function WayIn() {
  const known = about.value?.access?.people["recommender"] ?? []
  return (
    <LoginPage
      title="The recommender"
      lead={
        known.length === 0
          ? "Each reader has a number."
          : `Each reader has a number: 1 to ${known.length} are known here.`
      }
      fields={[{ name: "id", label: "Reader", value: known[0] ?? "1" }]}
      button="Show the feed"
      onSubmit={({ id = "" }) => enter(id.trim())}
    />
  )
}
