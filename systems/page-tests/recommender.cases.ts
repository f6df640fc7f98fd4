import type { Page } from "playwright-core"
import { HOSTILE } from "./expect-page.cases.ts"
import type { Story } from "./story.cases.ts"

async function open(page: Page, reader: string): Promise<void> {
  await page.getByLabel("Reader").fill(reader)
  await page.getByLabel("Reader").press("Enter")
  await page.getByRole("heading", { name: `Posts for reader ${reader}` }).waitFor()
}

export const recommender: Story = {
  label: "the recommender",
  path: "/recommender",
  does: "why a post is there, a reaction, the nightly run, and the feed after it",
  async tell({ page, press, submit }, device) {
    const reader = device === "desk" ? "3" : "5"
    await submit(page.getByLabel("Reader"), reader)
    await page
      .getByRole("heading", { name: /^Because you/ })
      .first()
      .waitFor()
    const like = page.getByRole("button", { name: /^Like post/ }).first()
    const id = /\d+/.exec(await like.innerText())![0]
    await press(like)
    await page.getByText("1 new reaction waits").waitFor()
    await press(page.getByRole("button", { name: "Run it now" }))
    await page.getByText(/^The nightly run for .* is done/).waitFor()
    await page.getByRole("button", { name: `Like post ${id}`, exact: true }).waitFor({ state: "detached" })
  },
  told: {
    "The nightly run": ["REC-1", "{user}_liked_posts", "recent_posts_for_category{suffix}"],
    "asked for posts": ["REC-13"],
  },
  async seesOthers(one, other) {
    await open(other, "6")
    const before = (await other.getByText(/^last run /).innerText()).slice(-10)
    const next = new Date(Date.parse(before) + 86_400_000).toISOString().slice(0, 10)
    await one.getByRole("button", { name: "Run it now" }).click()
    await other.getByText(`last run ${next}`).waitFor()
  },
  async showsHostile(page) {
    await page.getByRole("button", { name: "Leave" }).click()
    await page.getByLabel("Reader").fill(HOSTILE)
    await page.getByLabel("Reader").press("Enter")
    await page.getByText("A reader is a number from 1 on.").waitFor()
  },
  enter: (page) => open(page, "7"),
  async acts(page) {
    const like = page.getByRole("button", { name: /^Like post/ }).first()
    const id = /\d+/.exec(await like.innerText())![0]
    await like.click()
    await page.getByRole("button", { name: `Liked post ${id}`, exact: true }).waitFor()
  },
}
