import type { ComponentChildren } from "preact"

interface Props {
  readonly title: ComponentChildren
  /** Beside the title: a number, a control. */
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
  readonly class?: string
}

/** A titled box. What is in it brings its own padding with `body`, or none for tables. */
export const Card = ({ title, aside, children, class: name = "" }: Props) => (
  <section class={`card ${name}`}>
    <header>
      <h2>{title}</h2>
      {aside === undefined ? null : <div class="quiet">{aside}</div>}
    </header>
    {children}
  </section>
)
