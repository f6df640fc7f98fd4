import { useRef, useState } from "preact/hooks"
import { tryAdminToken } from "../state/about.ts"
import { messageOf } from "../state/notice.ts"

/** Outside of a demonstration, what a request does to Redis is for administrators. */
export function AdminForm() {
  const token = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  const keep = async (event: Event) => {
    event.preventDefault()
    try {
      setWrong((await tryAdminToken(token.current?.value ?? "")) ? undefined : "This is not the admin token.")
    } catch (error) {
      setWrong(messageOf(error))
    }
  }
  return (
    <form class="admin-form" onSubmit={(event) => void keep(event)}>
      <p class="quiet small">
        What an action does to Redis is shown to administrators: enter the token given by <code>--admin-token</code>. It
        is forgotten when this tab is closed.
      </p>
      <label>
        Admin token
        <input class="input" type="password" ref={token} autocomplete="off" required />
      </label>
      {wrong === undefined ? null : (
        <p class="note bad" role="alert">
          {wrong}
        </p>
      )}
      <button class="button" type="submit">
        Show it
      </button>
    </form>
  )
}
