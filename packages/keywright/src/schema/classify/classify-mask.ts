/* Masks (see mask.ts) tried on a part of a key, without cutting it out. */

interface MaskStep {
  readonly char: number
  readonly escaped: boolean
  readonly repeat: boolean
}

/** Whether the text from `at` to `end` fits one of the masks. */
export type MaskTest = (key: string, at: number, end: number) => boolean

export function maskTest(masks: readonly string[]): MaskTest {
  const alternatives = masks.map((mask) =>
    [...mask.matchAll(/(\\?)(.)(\+?)/gsu)].map(([, escaped, char, repeat]): MaskStep => ({
      char: char!.codePointAt(0)!,
      escaped: escaped !== "",
      repeat: repeat !== "",
    })),
  )
  return (key, at, end) => {
    for (const steps of alternatives) if (fits(steps, 0, key, at, end)) return true
    return false
  }
}

function fits(steps: readonly MaskStep[], from: number, key: string, start: number, end: number): boolean {
  let at = start
  for (let i = from; i < steps.length; i++) {
    const step = steps[i]!
    let width = taken(step, key, at, end)
    if (width === 0) return false
    at += width
    if (!step.repeat) continue
    while (!fits(steps, i + 1, key, at, end)) {
      width = taken(step, key, at, end)
      if (width === 0) return false
      at += width
    }
    return true
  }
  return at === end
}

const digit = 35 // #
const any = 42 // *

/** The number of code units that the step consumes here, or 0. */
function taken({ char, escaped }: MaskStep, key: string, at: number, end: number): number {
  if (at >= end) return 0
  const code = key.codePointAt(at)!
  const fit = escaped ? code === char : char === digit ? code >= 48 && code <= 57 : char === any || code === char
  return fit ? (code > 0xffff ? 2 : 1) : 0
}
