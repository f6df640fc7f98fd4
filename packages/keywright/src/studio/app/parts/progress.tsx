interface Props {
  /** From 0 to 1; undefined while nobody knows. */
  readonly part: number | undefined
  readonly label: string
}

export const Progress = ({ part, label }: Props) => (
  <div
    class="bar"
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={part === undefined ? undefined : Math.round(part * 100)}
  >
    <i style={{ width: `${Math.min(100, (part ?? 0) * 100)}%` }} />
  </div>
)
