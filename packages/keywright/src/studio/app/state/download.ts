/** Hands the browser a file that the page has made; nothing is sent anywhere. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
