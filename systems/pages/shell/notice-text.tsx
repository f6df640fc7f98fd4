import { ShownText } from "studio/parts/shown-text.tsx"
import { notice } from "../state/notice.ts"

/** Read aloud where somebody listens. */
export const NoticeText = () => (
  <div class="notices" role="status" aria-live="polite">
    {notice.value === undefined ? null : (
      <p class={`notice ${notice.value.kind}`}>
        <ShownText text={notice.value.text} />
      </p>
    )}
  </div>
)
