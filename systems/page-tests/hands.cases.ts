/* Somebody who has a keyboard and nothing else. */

import type { Locator, Page } from "playwright-core"

export interface Hands {
  readonly page: Page
  /** Goes there by Tab alone, and presses a key. */
  press(target: Locator, key?: string): Promise<void>
  /** Puts a text into a field that Tab leads to, and presses Enter. */
  submit(target: Locator, text: string): Promise<void>
  /** Puts a text into a field that Tab leads to. */
  type(target: Locator, text: string): Promise<void>
  /** What the drawer says of the latest action with this title. */
  inDrawer(title: string): Promise<string>
}

/** An element of the page, as far as it is looked at here. */
interface Stop {
  readonly disabled?: boolean
  checkVisibility(options: object): boolean
  readonly ownerDocument: { readonly activeElement: Stop; querySelectorAll(selector: string): Iterable<Stop> }
}

/** Where Tab stops, as far as that can be told without pressing it. */
const STOPS = "a[href],button,input,select,textarea,summary,[tabindex='0']"

/** How many stops there are between here and there; below zero: backwards; undefined where nothing that Tab stops at has
 * the focus. Runs in the page. */
function stopsTo(target: Stop, selector: string): number | undefined {
  const stops = [...target.ownerDocument.querySelectorAll(selector)].filter(
    (one) => one.disabled !== true && one.checkVisibility({ visibilityProperty: true }),
  )
  const from = stops.indexOf(target.ownerDocument.activeElement)
  return from < 0 ? undefined : stops.indexOf(target) - from
}

/** What cannot be told is found by pressing on: radio buttons count as one, and views change. */
const CLOSE = 2
const MOST_PRESSES = 250

export function handsOf(page: Page): Hands {
  /** Without a pause: nothing is painted between two of them. */
  const pressOften = async (count: number, isBackwards: boolean): Promise<void> => {
    if (isBackwards) await page.keyboard.down("Shift")
    await Promise.all(Array.from({ length: Math.max(0, count) }, () => page.keyboard.press("Tab")))
    if (isBackwards) await page.keyboard.up("Shift")
  }
  const goTo = async (target: Locator): Promise<void> => {
    await target.waitFor()
    let steps = await target.evaluate(stopsTo, STOPS)
    if (steps === undefined) {
      await page.keyboard.press("Tab")
      steps = (await target.evaluate(stopsTo, STOPS)) ?? 0
    }
    await pressOften(Math.abs(steps) - CLOSE, steps < 0)
    const key = steps < 0 ? "Shift+Tab" : "Tab"
    for (let i = 0; i < MOST_PRESSES; i++) {
      if (await target.evaluate((element) => element.matches(":focus"))) return
      await page.keyboard.press(key)
    }
    throw new Error(`Tab does not get to ${target}`)
  }
  const hands: Hands = {
    page,
    async press(target, key = "Enter") {
      await goTo(target)
      await page.keyboard.press(key)
    },
    async type(target, text) {
      await hands.press(target, "ControlOrMeta+a")
      await page.keyboard.type(text)
    },
    async submit(target, text) {
      await hands.type(target, text)
      await page.keyboard.press("Enter")
    },
    async inDrawer(title) {
      const toggle = page.getByRole("button", { name: /^In Redis/ })
      if ((await toggle.getAttribute("aria-expanded")) === "false") await hands.press(toggle)
      const details = page.locator(".action > details", { has: page.locator("summary", { hasText: title }) }).first()
      if ((await details.getAttribute("open")) === null) await hands.press(details.locator("> summary"))
      await details.locator(".action-body").waitFor()
      return details.innerText()
    },
  }
  return hands
}
