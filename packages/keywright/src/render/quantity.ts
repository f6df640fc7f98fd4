/* Numbers for people. */

/** `1536` → `"1.5 kB"` */
export function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"]
  let [amount, unit] = [bytes, 0]
  // What would be rounded to 1024 is 1 of the next.
  while (Math.round(amount) >= 1024 && unit < units.length - 1) [amount, unit] = [amount / 1024, unit + 1]
  return `${amount >= 100 || unit === 0 ? Math.round(amount) : amount.toFixed(1)} ${units[unit]}`
}

/** `1234567` → `"1,234,567"` */
export const countText = (count: number): string => Math.round(count).toLocaleString("en-US")

/** `(1, "key")` → `"1 key"` */
export const counted = (count: number, what: string): string => `${countText(count)} ${what}${count === 1 ? "" : "s"}`

/** `93784` → `"1 d 2 h"` */
export function secondsText(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor((seconds % 86_400) / 3600), "h"],
    [Math.floor((seconds % 3600) / 60), "min"],
    [Math.floor(seconds % 60), "s"],
  ]
  const shown = parts.filter(([amount]) => amount > 0).slice(0, 2)
  return shown.length === 0 ? "0 s" : shown.map(([amount, unit]) => `${amount} ${unit}`).join(" ")
}
