import { useRef } from "preact/hooks"
import { keepAdminToken } from "../state/about.ts"

/** Outside of a demonstration, what a request does to Redis is for administrators. */
export function AdminForm() {
  const token = useRef<HTMLInputElement>(null)
  const keep = (event: Event) => {
    event.preventDefault()
    if (token.current?.value) keepAdminToken(token.current.value)
  }
  return (
    <form class="admin-form" onSubmit={keep}>
      <p class="quiet small">
        What an action does to Redis is shown to administrators: with the token of <code>--admin-token</code>, until
        this tab is closed.
      </p>
      <label>
        Admin token
        <input class="input" type="password" ref={token} autocomplete="off" required />
      </label>
      <button class="button" type="submit">
        Show it
      </button>
    </form>
  )
}
