/* A link of the page in a new tab. The browser passes the session to a new tab only when the
 * page itself opens it, so the clicks that mean "in a new tab" are taken over. */

export function followNewTabs(): void {
  const open = (event: MouseEvent) => {
    const isNewTab = event.button === 1 || (event.button === 0 && (event.ctrlKey || event.metaKey || event.shiftKey))
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null
    const href = link?.getAttribute("href") ?? ""
    if (!isNewTab || !href.startsWith("#/")) return
    event.preventDefault()
    window.open(`/${href}`, "_blank")
  }
  addEventListener("click", open)
  addEventListener("auxclick", open)
}
