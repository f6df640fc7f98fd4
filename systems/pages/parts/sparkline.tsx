const [WIDTH, HEIGHT] = [100, 24]

/** The last values as a line. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  if (values.length < 2) return <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" />
  const most = Math.max(...values, 1)
  const x = (i: number) => (WIDTH * i) / (values.length - 1)
  const y = (value: number) => HEIGHT - 2 - ((HEIGHT - 4) * value) / most
  const line = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(" ")
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={line} />
    </svg>
  )
}
