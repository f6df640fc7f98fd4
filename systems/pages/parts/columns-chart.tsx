interface Props {
  readonly values: readonly { readonly label: string; readonly value: number }[]
  /** What it shows, for those who cannot see it. */
  readonly title: string
}

const [WIDTH, HEIGHT] = [600, 150]

export function ColumnsChart({ values, title }: Props) {
  const most = Math.max(1, ...values.map(({ value }) => value))
  const step = WIDTH / Math.max(1, values.length)
  return (
    <figure class="columns-chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
        {values.map(({ label, value }, i) => {
          const height = (HEIGHT * value) / most
          return (
            <rect key={label} x={i * step + step * 0.12} y={HEIGHT - height} width={step * 0.76} height={height} rx={2}>
              <title>
                {label}: {value}
              </title>
            </rect>
          )
        })}
      </svg>
      <figcaption class="quiet small">
        <span>{values[0]?.label}</span>
        <span>busiest day: {most}</span>
        <span>{values.at(-1)?.label}</span>
      </figcaption>
    </figure>
  )
}
