/* A system's page as its tests know it: every page is tested in the same way, and says here
 * how each of these things happens on it. People differ from device to device, so that none
 * meets what another one has left. */

import type { Page } from "playwright-core"
import type { Hands } from "./hands.cases.ts"
import type { Device, Pages } from "./open-pages.cases.ts"

export interface Story {
  /** What people call it. */
  readonly label: string
  readonly path: string
  /** What is done, in a few words. */
  readonly does: string
  /** From the way in to the result, by keyboard alone. */
  tell(hands: Hands, device: Device): Promise<void>
  /** What the drawer says of it afterwards, by the title of an action. */
  readonly told: Readonly<Record<string, readonly string[]>>
  /** Goes on at the desk, in a second window beside: each sees what is done in the other one. */
  seesOthers(one: Page, other: Page): Promise<void>
  /** Somebody has chosen a hostile name or text, and the page shows it. */
  showsHostile(page: Page, pages: Pages): Promise<void>
  /** The session ends, and the page says so. Undefined where nobody logs in. */
  expires?(page: Page, pages: Pages): Promise<void>
  /** Logs in once more. */
  enter(page: Page): Promise<void>
  /** Something that works whenever the server does. */
  acts(page: Page): Promise<void>
}
