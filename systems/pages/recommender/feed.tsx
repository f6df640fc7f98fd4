import { Card } from "studio/parts/card.tsx"
import { Icon } from "studio/parts/icon.tsx"
import { Tile } from "../parts/tile.tsx"
import { adminToken } from "../state/about.ts"
import { attempt } from "../state/notice.ts"
import { contribution, posts, type Post, preferences, react, tonight } from "./state.ts"

/** Recommended posts, each with its reason. */
export const Feed = () => (
  <Card title="Your feed" aside={`${posts.value.length} posts`}>
    {posts.value.length === 0 ? <p class="body quiet">Nothing new for this reader.</p> : null}
    <ul class="row-list">
      {posts.value.map((post) => (
        <PostRow key={post.id} post={post} />
      ))}
    </ul>
  </Card>
)

function PostRow({ post }: { readonly post: Post }) {
  const isLiked = tonight.value.some(({ id }) => id === post.id)
  return (
    <li>
      <Tile small text={String(post.category)} seed={`category ${post.category}`} />
      <span class="post">
        <b>
          Post {post.id}, of challenge {post.challenge}
        </b>
        <span class="quiet small">{reasonOf(post)}</span>
      </span>
      {adminToken.value === undefined ? null : (
        <button type="button" class="button small" disabled={isLiked} onClick={() => void attempt(() => react(post))}>
          {isLiked ? <Icon name="check" /> : null}
          {isLiked ? "Liked" : "Like"}
          <span class="for-readers"> post {post.id}</span>
        </button>
      )}
    </li>
  )
}

function reasonOf({ reason, challenge, category }: Post): string {
  if (reason === "reacted_challenge") {
    const score = preferences.value.find(({ id }) => id === challenge)?.score
    return `because you reacted to its challenge${score === undefined ? "" : ` ${score} ${score === 1 ? "time" : "times"}`}`
  }
  if (reason === "top_category") {
    const days = contribution.value[category] ?? 0
    return days === 0
      ? `because category ${category} is one of your three`
      : `because you spent ${days} ${days === 1 ? "day" : "days"} on category ${category}`
  }
  return "to show you something else"
}
