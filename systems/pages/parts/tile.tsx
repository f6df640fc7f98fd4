/** A picture for what has none: its first letter, on its own colour. */
export const Tile = ({
  text,
  seed,
  small = false,
}: {
  readonly text: string
  readonly seed: string
  readonly small?: boolean
}) => (
  <span class={`tile hue-${hueOf(seed)}${small ? " small" : ""}`} aria-hidden="true">
    {[...text][0]?.toUpperCase() ?? "?"}
  </span>
)

const HUES = 6
function hueOf(seed: string): number {
  let sum = 0
  for (const char of seed) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 9973
  return (sum % HUES) + 1
}
