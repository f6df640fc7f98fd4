import type { ComponentChildren } from "preact"

interface Props {
  readonly label: string
  /** Undefined while it is not known: its room is kept. */
  readonly value: ComponentChildren
  readonly more?: ComponentChildren
  readonly tone?: "warn" | "good" | undefined
}

/** One number that matters, and what is behind it. */
export const Fact = ({ label, value, more, tone }: Props) => (
  <div class="fact">
    <dt>{label}</dt>
    <dd class={tone === undefined ? "value" : `value ${tone}`}>{value ?? <span class="skeleton" />}</dd>
    <dd class="more">{more ?? " "}</dd>
  </div>
)
