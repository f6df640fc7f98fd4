/** A part of a whole. An SVG, because the policy refuses styles that are written on elements. */
export const Bar = ({ part, kind = "" }: { readonly part: number; readonly kind?: "" | "warn" | "bad" }) => (
  <svg class={`part-bar ${kind}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect width={100} height={6} class="of" />
    <rect width={100 * Math.max(0, Math.min(1, part))} height={6} class="is" />
  </svg>
)
