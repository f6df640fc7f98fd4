import { Card } from "studio/parts/card.tsx"
import { Icon } from "studio/parts/icon.tsx"
import { counted } from "../parts/counted.ts"
import { Tile } from "../parts/tile.tsx"
import { adminToken } from "../state/about.ts"
import { ActButton } from "../parts/act-button.tsx"
import { contribution, posts, type Post, preferences, react, tonight } from "./state.ts"

/** Posts shown for each reason: enough to understand it, and few enough to keep the other reasons in sight. */
const SHOWN = 4

/** Recommended posts under the reasons for them, in the order of the feed. */
export function Feed() {
  const groups = new Map<string, Post[]>()
  for (const post of posts.value) groups.set(reasonOf(post), [...(groups.get(reasonOf(post)) ?? []), post])
  return (
    <Card title="Your feed" aside={counted(posts.value.length, "post")} class="feed">
      {posts.value.length === 0 ? <p class="body quiet">Nothing new for this reader.</p> : null}
      {[...groups].map(([reason, found]) => (
        <section key={reason} aria-label={reason}>
          <h3>
            <span>{reason}</span>
            <span class="quiet small">{counted(found.length, "post")}</span>
          </h3>
          <ul class="row-list">
            {found.slice(0, SHOWN).map((post) => (
              <PostRow key={post.id} post={post} />
            ))}
          </ul>
        </section>
      ))}
    </Card>
  )
}

function PostRow({ post }: { readonly post: Post }) {
  const isLiked = tonight.value.some(({ id }) => id === post.id)
  return (
    <li>
      <Tile small text={String(post.category)} seed={`category ${post.category}`} />
      <span class="named">
        <b>Post {post.id}</b>
        <span class="quiet small">
          challenge {post.challenge} · category {post.category}
        </span>
      </span>
      {adminToken.value === undefined ? null : (
        <ActButton disabled={isLiked} onAct={() => react(post)}>
          {isLiked ? <Icon name="check" /> : null}
          {isLiked ? "Liked" : "Like"}
          <span class="for-readers"> post {post.id}</span>
        </ActButton>
      )}
    </li>
  )
}

function reasonOf({ reason, challenge, category }: Post): string {
  if (reason === "reacted_challenge") {
    const score = preferences.value.find(({ id }) => id === challenge)?.score
    return `Because you reacted ${score === undefined ? "" : `${counted(score, "time")} `}to challenge ${challenge}`
  }
  if (reason === "top_category") {
    const days = contribution.value[category] ?? 0
    return days === 0
      ? `Because category ${category} is one of your top three`
      : `Because you spent ${counted(days, "day")} on category ${category}`
  }
  return "To show you something else"
}
