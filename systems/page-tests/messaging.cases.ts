import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"
import { HOSTILE, SHOWN } from "./expect-page.cases.ts"
import type { Story } from "./story.cases.ts"

async function fill(field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await field.press("Enter")
}
const paneOf = (page: Page, name: string) => page.getByRole("region", { name: `The messenger of ${name}` })

/** Two people for each device, and a channel that they found. */
const cast = { desk: ["ada", "eva", "Lunch"], phone: ["gia", "ivy", "Supper"] } as const

export const messenger: Story = {
  label: "the messenger",
  path: "/messaging",
  does: "two people, a channel, an invitation, a message that arrives, and a ban",
  async tell({ page, press, submit }, device) {
    const [one, other, channel] = cast[device]
    for (const [label, name] of [
      ["Name on the left", one],
      ["Name on the right", other],
    ] as const) {
      await submit(page.getByLabel(label), name)
      await paneOf(page, name).waitFor()
    }
    const [left, right] = [paneOf(page, one), paneOf(page, other)]
    await submit(left.getByLabel(`New channel of ${one}`), channel)
    await press(left.getByRole("button", { name: `# ${channel}` }))
    await press(left.getByText("Invite or ban"))
    await submit(left.getByLabel(/^Invite to /), other)
    await press(right.getByRole("button", { name: "Accept" }))
    await press(right.getByRole("button", { name: `# ${channel}` }))
    await submit(left.getByLabel(`Message of ${one}`), "Soup at noon?")
    await right.locator(".messages", { hasText: "Soup at noon?" }).waitFor()
    await press(left.getByRole("button", { name: `Ban ${other}` }))
    await right.getByRole("button", { name: `# ${channel}` }).waitFor({ state: "detached" })
  },
  told: {
    "wrote to": ["MSG-29", "St:{user}", "Absence of this key means the user is or has become offline."],
    banned: ["MSG-26"],
  },
  async seesOthers(one, other) {
    await fill(other.getByLabel("Name on the right"), "cleo")
    const [ada, cleo] = [paneOf(one, "ada"), paneOf(other, "cleo")]
    if ((await ada.getByRole("button", { name: /^cleo/ }).count()) === 0)
      await fill(ada.getByLabel("New contact of ada"), "cleo")
    await ada.getByRole("button", { name: /^cleo.*online$/ }).waitFor()
    await cleo.getByLabel("Status of cleo").selectOption("idle")
    await ada.getByRole("button", { name: /^cleo.*idle$/ }).waitFor()
    await ada.getByRole("button", { name: "# General" }).click()
    await fill(ada.getByLabel("Message of ada"), "Who is there?")
    await cleo.locator(".messages", { hasText: "Who is there?" }).waitFor()
  },
  async showsHostile(page) {
    const field = page.getByLabel("Message of ada")
    const messages = "**/v1/roc/messages"
    let pass = () => {}
    const passed = new Promise<void>((resolve) => (pass = resolve))
    await page.route(messages, async (route) => passed.then(() => route.continue()), { times: 1 })
    await fill(field, HOSTILE)
    await field.fill("Typed meanwhile")
    const answered = page.waitForResponse(messages)
    pass()
    await (await answered).finished()
    await paneOf(page, "ada").locator(".messages p", { hasText: SHOWN }).first().waitFor()
    // In the drawer once the page has dealt with the answer.
    await page.locator(".action > details > summary", { hasText: "ada wrote to" }).nth(2).waitFor({ state: "attached" })
    expect(await field.inputValue()).toBe("Typed meanwhile")
    const name = "long".repeat(32)
    await fill(page.getByLabel("New channel of ada"), name)
    await page.getByRole("button", { name: `# ${name}` }).waitFor()
    const lists = paneOf(page, "ada").locator(".talks")
    expect(await lists.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0)
  },
  async expires(page, pages) {
    for (const user of ["ada", "eva"])
      await pages.admin(`DELETE /messaging/v1/saas/tokens?project=456&service=789&user=${user}`)
    for (const user of ["ada", "eva"]) await page.getByText(`The token of ${user} has ended`).waitFor()
  },
  async enter(page) {
    await fill(page.getByLabel("Name on the left"), "finn")
    await paneOf(page, "finn").waitFor()
  },
  async acts(page) {
    const text = `It is ${Math.random()}`
    await fill(page.getByLabel("Message of finn"), text)
    await page.locator(".messages p", { hasText: text }).waitFor()
  },
}
