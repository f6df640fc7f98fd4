/** `0.9996` → `"99.9 %"`: never rounded up to all, nor down to nothing. */
export function percent(part: number): string {
  if (part === 0 || part === 1) return `${part * 100} %`
  const bounded = Math.min(0.999, Math.max(0.001, part))
  return `${(bounded * 100).toFixed(bounded > 0.99 || bounded < 0.1 ? 1 : 0)} %`
}
