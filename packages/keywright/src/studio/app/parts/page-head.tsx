import type { ComponentChildren } from "preact"

export interface Crumb {
  readonly text: string
  readonly href: string
}

interface Props {
  readonly title: ComponentChildren
  /** Right of the title: a button to copy it. */
  readonly beside?: ComponentChildren
  readonly crumbs?: readonly Crumb[]
  readonly lead?: ComponentChildren
  readonly children?: ComponentChildren
}

/** The head of a view: where we are, what it is, and what can be done. */
export const PageHead = ({ title, beside, crumbs = [], lead, children }: Props) => (
  <header class="page-head">
    <div>
      {crumbs.length === 0 ? null : (
        <ol class="crumbs" aria-label="Where you are">
          {crumbs.map(({ text, href }) => (
            <li key={href}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ol>
      )}
      <div class="title">
        <h1 tabIndex={-1}>{title}</h1>
        {beside}
      </div>
      {lead === undefined ? null : <p class="lead">{lead}</p>}
    </div>
    {children === undefined ? null : <div class="actions">{children}</div>}
  </header>
)
