import { expect, it } from "vitest"
import type { Pages } from "./open-pages.cases.ts"
import { byKeyboard, expectAccessible, expectNoOverflow, inDrawer, PHONE, typeInto } from "./open-pages.cases.ts"

export function recommenderStory(pages: () => Pages): void {
  const enter = async (reader: string, options: Parameters<Pages["open"]>[1] = {}) => {
    const page = await pages().open("/recommender", options)
    await page.getByLabel("Reader").fill(reader)
    await page.getByLabel("Reader").press("Enter")
    await page.getByRole("heading", { name: `Posts for reader ${reader}` }).waitFor()
    return page
  }

  it("is told by keyboard alone: why a post is there, a reaction, the night, and the feed after it", async () => {
    const page = await pages().open("/recommender")
    await typeInto(page, page.getByLabel("Reader"), "3")
    await page.keyboard.press("Enter")
    const like = page.getByRole("button", { name: /^Like post/ }).first()
    await page
      .getByText(/^because you|^to show you/)
      .first()
      .waitFor()
    const id = /\d+/.exec(await like.innerText())![0]
    await byKeyboard(page, like)
    await page.getByText("1 new reaction waits").waitFor()
    await byKeyboard(page, page.getByRole("button", { name: "Let the night pass" }))
    await page.getByText(/^The run for .* is done/).waitFor()
    await page.getByRole("button", { name: `Like post ${id}`, exact: true }).waitFor({ state: "detached" })
    const told = await inDrawer(page, "The night before")
    for (const part of ["REC-1", "{user}_liked_posts", "recent_posts_for_category{suffix}"])
      expect(told).toContain(part)
    await expectAccessible(page)
    await expectNoOverflow(page)
  })

  it("works on a phone, and another window sees the night", async () => {
    const one = await enter("5", { size: PHONE, dark: true })
    const other = await enter("6", { beside: one })
    await one.getByRole("button", { name: "Let the night pass" }).click()
    const run = one.locator(".report b").first()
    await run.waitFor()
    await other.getByText(`last run ${await run.innerText()}`).waitFor()
    expect(await inDrawer(one, "Reader 5 asked for posts")).toContain("REC-13")
    await expectAccessible(one)
    await expectNoOverflow(one)
  })
}
