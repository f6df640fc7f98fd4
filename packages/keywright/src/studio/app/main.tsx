/* The studio's page. This script is in the head and blocks, so that the theme is right
 * before anything is painted. */

import { render } from "preact"
import { App } from "./shell/app.tsx"
import { enter, takeToken } from "./state/entry.ts"
import { listen } from "./state/events.ts"
import { followKeys } from "./state/keyboard.ts"
import { followNewTabs } from "./state/new-tab.ts"
import { followRoute } from "./state/route.ts"
import { failure, load } from "./state/studio.ts"
import { followTheme } from "./state/theme.ts"

const token = takeToken()
followTheme()
followRoute()
followKeys()
followNewTabs()

addEventListener("DOMContentLoaded", () => {
  render(<App />, document.body)
  void begin()
})

async function begin(): Promise<void> {
  if (token !== undefined) failure.value = await enter(token)
  if (failure.value !== undefined) return
  void load()
  listen()
}
