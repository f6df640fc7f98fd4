import type { ComponentChildren } from "preact"
import { href, type View } from "../state/route.ts"

interface Props {
  readonly title: string
  readonly text?: string
  readonly children?: ComponentChildren
}

/** Nothing here: why, and what to do about it. */
export const Empty = ({ title, text, children }: Props) => (
  <div class="empty">
    <h2>{title}</h2>
    {text === undefined ? null : <p>{text}</p>}
    {children}
  </div>
)

export const NoSystem = ({ name, view }: { readonly name: string | undefined; readonly view: View }) => (
  <Empty title={`There is no system “${name}”`}>
    <a href={href(view)}>See all systems</a>
  </Empty>
)
