/* Scores as a server spells them: C's %.17g. */

export function scoreText(score: number): string {
  if (Number.isInteger(score) && Math.abs(score) < 1e17) return String(score)
  if (!Number.isFinite(score)) return score > 0 ? "inf" : "-inf"
  const [digits = "", exponent = "0"] = score.toExponential(16).split("e")
  const power = Number(exponent)
  const text = power < -4 || power >= 17 ? digits : score.toFixed(16 - power)
  const short = text.includes(".") ? text.replace(/\.?0+$/, "") : text
  if (text !== digits) return short
  return `${short}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`
}

export const scoreNumber = (text: string): number =>
  /inf/i.test(text) ? (text.startsWith("-") ? -Infinity : Infinity) : Number(text)
