/* Starts a page. Its script is in the head and blocks, so that the theme is right before
 * anything is painted. */

import { render, type ComponentType } from "preact"
import { followTheme } from "studio/state/theme.ts"
import { loadAbout } from "../state/about.ts"
import { followActions } from "../state/actions.ts"
import { followServer, isAway } from "../state/away.ts"

export function start(Page: ComponentType): void {
  followTheme()
  followServer()
  addEventListener("DOMContentLoaded", () => {
    loadAbout()
      .catch(() => (isAway.value = true))
      .finally(() => {
        followActions()
        document.body.replaceChildren()
        render(<Page />, document.body)
      })
  })
}
