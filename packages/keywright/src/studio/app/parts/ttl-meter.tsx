import { countText } from "../../../render/quantity.ts"
import type { TtlHealth } from "../../api.ts"

const parts: readonly { readonly name: keyof TtlHealth; readonly text: string; readonly color: string }[] = [
  { name: "right", text: "as declared", color: "var(--good-fill)" },
  { name: "missing", text: "never expire, and should", color: "var(--bad-fill)" },
  { name: "unexpected", text: "expire, and should not", color: "var(--bad-fill)" },
  { name: "tooLong", text: "expire later than declared", color: "var(--warn-fill)" },
  { name: "undecided", text: "undecided", color: "var(--faint)" },
]

export const healthWords = (health: TtlHealth): string[] =>
  parts.filter(({ name }) => health[name] > 0).map(({ name, text }) => `${countText(health[name])} ${text}`)

/** How many keys have the TTL that they should. */
export function TtlMeter({ health }: { readonly health: TtlHealth }) {
  const words = healthWords(health)
  const label = words.length === 0 ? "no keys" : words.join(", ")
  return (
    <div class="meter" role="img" aria-label={`TTL: ${label}`} title={label}>
      {parts.map(({ name, color }) =>
        health[name] === 0 ? null : <i key={name} style={{ flexGrow: health[name], background: color }} />,
      )}
    </div>
  )
}
