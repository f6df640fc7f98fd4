/** "12 s ago", from unix seconds. */
export function ago(at: number): string {
  const seconds = Math.max(0, Math.round(Date.now() / 1000 - at))
  if (seconds < 2) return "just now"
  return `${lasting(seconds)} ago`
}

/** "4 min 10 s" */
export function lasting(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3600) {
    const rest = Math.round(seconds % 60)
    return `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`
  }
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}
