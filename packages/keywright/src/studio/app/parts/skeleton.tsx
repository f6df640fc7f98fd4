import { px } from "./px.ts"

/** The room that something will take, while it is on its way. */
export const Skeleton = ({ rows = 1, height = 16 }: { readonly rows?: number; readonly height?: number }) => (
  <div class="body" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, i) => (
      <span
        key={i}
        class="skeleton"
        style={{ height: px(height), marginBottom: "10px", width: `${100 - ((i * 17) % 34)}%` }}
      />
    ))}
  </div>
)
