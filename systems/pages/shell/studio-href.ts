/** Through the server, which adds what the studio's own protection asks for. */
export const studioHref = (system?: string, key?: string): string => {
  const path = ["overview", system].filter((part) => part !== undefined)
  const view = system === undefined || key === undefined ? path : ["browse", system, encodeURIComponent(key)]
  return `/-/studio?to=${encodeURIComponent(`/${view.join("/")}`)}`
}
