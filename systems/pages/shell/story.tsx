import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { PageHead } from "studio/parts/page-head.tsx"
import { Frame } from "./frame.tsx"

interface Props {
  readonly account: ComponentChildren
  readonly title: ComponentChildren
  readonly lead: ComponentChildren
  /** Right of the title. */
  readonly beside?: ComponentChildren
  /** The wide column. */
  readonly children: ComponentChildren
  /** The narrow one: below the other one on a phone. */
  readonly aside: ComponentChildren
}

/** A page for somebody who is logged in: a head, and two columns. */
export function Story({ account, title, lead, beside, children, aside }: Props) {
  // The form that had the focus is gone: go on from the top of the page.
  useEffect(() => document.querySelector("h1")?.focus({ preventScroll: true }), [])
  return (
    <Frame account={account}>
      <div class="page">
        <PageHead title={title} lead={lead}>
          {beside}
        </PageHead>
        <div class="columns">
          <div class="stack">{children}</div>
          <div class="stack">{aside}</div>
        </div>
      </div>
    </Frame>
  )
}
