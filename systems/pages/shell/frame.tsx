import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"
import { Drawer } from "../drawer/drawer.tsx"
import { TopBar } from "./top-bar.tsx"
import { isAway } from "../state/away.ts"
import { ShownText } from "studio/parts/shown-text.tsx"
import { notice } from "../state/notice.ts"

interface Props {
  /** Beside the tools of the bar: who is logged in. */
  readonly account?: ComponentChildren
  readonly children?: ComponentChildren
  /** A page without actions has no drawer. */
  readonly drawer?: boolean
}

/** What every page has around it. */
export function Frame({ account, children, drawer = true }: Props) {
  const main = useRef<HTMLElement>(null)
  return (
    <div class={drawer ? "frame" : "frame plain"}>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the content
      </a>
      <TopBar account={account} />
      <main id="main" ref={main} tabIndex={-1}>
        <AwayBanner />
        {children}
      </main>
      {drawer ? <Drawer /> : null}
      <NoticeText />
    </div>
  )
}

const AwayBanner = () =>
  isAway.value ? (
    <p class="banner" role="alert">
      The server does not answer. This page tries again by itself.
    </p>
  ) : null

/** Read aloud where somebody listens. */
const NoticeText = () => (
  <div class="notices" role="status" aria-live="polite">
    {notice.value === undefined ? null : (
      <p class={`notice ${notice.value.kind}`}>
        <ShownText text={notice.value.text} />
      </p>
    )}
  </div>
)
