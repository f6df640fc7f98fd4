import type { ComponentChildren } from "preact"
import { href, type View } from "../state/route.ts"

/** Nothing here: why, and what to do about it. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

/** A view of a system that does not exist. */
export const NoSystem = ({ name, view }: { readonly name: string | undefined; readonly view: View }) => (
  <Empty title={`There is no system “${name}”`}>
    <a href={href(view)}>See all systems</a>
  </Empty>
)
