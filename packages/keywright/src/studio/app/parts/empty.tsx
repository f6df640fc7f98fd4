import type { ComponentChildren } from "preact"

/** Nothing here: why, and what to do about it. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)
