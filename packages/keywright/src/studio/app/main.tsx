/* The studio's page. This script stands in the head and blocks: the theme is right
 * before anything is painted. */

import { render } from "preact"
import { App } from "./shell/app.tsx"
import { listen } from "./state/events.ts"
import { followKeys } from "./state/keyboard.ts"
import { followRoute } from "./state/route.ts"
import { load } from "./state/studio.ts"
import { followTheme } from "./state/theme.ts"

followTheme()
followRoute()
followKeys()

addEventListener("DOMContentLoaded", () => {
  render(<App />, document.body)
  void load()
  listen()
})
