/* Pictures of the systems' pages, each after the first steps of its story, in light and dark. */

import { join } from "node:path"

const size = { width: 1280, height: 720 }

/** Each page: where it is, and what to do before the picture. */
const stories = {
  front: { at: "/", act: (page) => page.waitForTimeout(12_000) },
  "shop-page": { at: "/shop", act: buyTablet },
  "messaging-page": { at: "/messaging", act: talk },
  "carto-page": { at: "/carto", act: lookAtMaps },
  "recommender-page": { at: "/recommender", act: passNight },
  "restaurant-page": { at: "/restaurant", act: orderSoup },
}

export async function pagePictures(browser, url, into) {
  for (const theme of ["light", "dark"]) {
    for (const [name, { at, act }] of Object.entries(stories)) {
      const context = await browser.newContext({ viewport: size, colorScheme: theme })
      const page = await context.newPage()
      await page.goto(url + at)
      await act(page)
      await page.waitForTimeout(700)
      await page.screenshot({ path: join(into, `${name}-${theme}.png`) })
      await context.close()
    }
  }
}

async function buyTablet(page) {
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("button", { name: /^Tablet.*in stock/ }).click()
  await page.getByRole("button", { name: "Put it into the cart" }).click()
  await page.locator(".cart li").waitFor()
}

async function talk(page) {
  for (const [i, label] of ["Name on the left", "Name on the right"].entries()) {
    await page.getByLabel(label).press("Enter")
    await page.locator(".pane").nth(i).waitFor()
  }
  await page.getByLabel("Message of ada").fill("Shall we meet at eight?")
  await page.getByLabel("Message of ada").press("Enter")
}

async function lookAtMaps(page) {
  await page.getByRole("button", { name: "Open the dashboard" }).click()
  await page.getByRole("button", { name: "View the map parks" }).click()
}

async function passNight(page) {
  await page.getByRole("button", { name: "Show the feed" }).click()
  await page
    .getByRole("button", { name: /^Like post/ })
    .first()
    .click()
  await page.getByRole("button", { name: "Run it now" }).click()
  await page.locator(".report").waitFor()
}

async function orderSoup(page) {
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("button", { name: /^Add.* Pho bo to the cart$/ }).click()
  await page.getByRole("button", { name: "Go into the kitchen" }).click()
  await page.getByRole("button", { name: "Order", exact: true }).click()
  await page.getByText(/is on its way to the kitchen/).waitFor()
}
