/* The lines of a diagram, in files and in the studio. */

export interface Point {
  readonly x: number
  readonly y: number
}

/** Through the middles of the segments, bent at the points. */
export function curve(points: readonly Point[]): string {
  const at = ({ x, y }: Point) => `${round(x)} ${round(y)}`
  const middle = (a: Point, b: Point) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
  const inner = points.slice(1, -1).map((point, i) => `Q${at(point)} ${at(middle(point, points[i + 2]!))}`)
  return `M${at(points[0]!)} L${at(middle(points[0]!, points[1]!))} ${inner.join(" ")} L${at(points.at(-1)!)}`
}

export const round = (number: number): number => Math.round(number * 10) / 10
