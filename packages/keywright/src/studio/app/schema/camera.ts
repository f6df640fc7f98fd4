/* Where one looks at a drawing from: its shift on the screen, and its scale. */

export interface Camera {
  readonly x: number
  readonly y: number
  readonly scale: number
}

interface Size {
  readonly width: number
  readonly height: number
}

const MARGIN = 16
const SCALES = [0.15, 3] as const

/** All of it, in the middle, never larger than it was drawn. */
export function fitted(drawing: Size, room: Size): Camera {
  const scale = Math.min(
    1.1,
    (room.width - 2 * MARGIN) / Math.max(1, drawing.width),
    (room.height - 2 * MARGIN) / Math.max(1, drawing.height),
  )
  return {
    x: (room.width - drawing.width * scale) / 2,
    y: (room.height - drawing.height * scale) / 2,
    scale,
  }
}

export const moved = ({ x, y, scale }: Camera, dx: number, dy: number): Camera => ({ x: x + dx, y: y + dy, scale })

/** Zooms with the point (px, py) of the screen staying where it is. */
export function zoomed(camera: Camera, factor: number, px: number, py: number): Camera {
  const scale = Math.min(SCALES[1], Math.max(SCALES[0], camera.scale * factor))
  const by = scale / camera.scale
  return { x: px - (px - camera.x) * by, y: py - (py - camera.y) * by, scale }
}
