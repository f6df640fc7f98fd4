/* What a page must never do, noted while it is open in a browser. */

import type { Page } from "playwright-core"

/** Said by the browser, not by the page: of answers that are refusals, and of servers that a test has ended. */
const EXPECTED =
  /status of (4\d\d|502)|net::ERR_(?:EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|CONNECTION_\w+|INCOMPLETE_CHUNKED_ENCODING)/

/** Errors, dialogs, refused script and style, requests elsewhere: none of them may happen. The origin is that of the page at the time. */
export async function watchPage(page: Page, origin: () => string, wrongs: string[]): Promise<void> {
  page.on("pageerror", (error) => wrongs.push(`error: ${error.message}`))
  page.on("console", (message) => {
    if (message.type() === "error" && !EXPECTED.test(message.text())) wrongs.push(message.text())
  })
  page.on("dialog", (dialog) => {
    wrongs.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on("popup", (popup) => wrongs.push(`popup: ${popup.url()}`))
  page.on("request", (request) => {
    const url = new URL(request.url())
    if (url.protocol !== "data:" && url.origin !== origin()) wrongs.push(`request to ${url.origin}`)
  })
  await page.exposeFunction("noteViolation", (what: string) => wrongs.push(`refused by the policy: ${what}`))
  await page.addInitScript(
    'addEventListener("securitypolicyviolation", (e) => noteViolation(e.violatedDirective + " " + e.blockedURI))',
  )
}
