/* The diagram: drag to move, wheel with Ctrl or the buttons to zoom, arrows and + − 0
 * when it has the focus. A box leads to its pattern. */

import type { TargetedKeyboardEvent } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import type { PlacedDiagram } from "../../api.ts"
import { IconButton } from "../parts/icon-button.tsx"
import { px } from "../parts/px.ts"
import { useWidth } from "../state/use-width.ts"
import { DiagramBoxes } from "./diagram-boxes.tsx"
import { DiagramLines } from "./diagram-lines.tsx"
import { fitted, moved, zoomed, type Camera } from "./camera.ts"

const MOST_HEIGHT = 620

export function DiagramView({ system, diagram }: { readonly system: string; readonly diagram: PlacedDiagram }) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const [camera, setCamera] = useState<Camera | undefined>(undefined)
  const [lit, setLit] = useState<string | undefined>(undefined)
  const height = heightFor(diagram, width)
  const room = { width, height }
  const shown = camera ?? fitted(diagram, room)
  const latest = useRef(shown)
  latest.current = shown
  const drag = useRef<{ x: number; y: number; moved: boolean } | undefined>(undefined)
  const zoom = (factor: number) => setCamera(zoomed(latest.current, factor, width / 2, height / 2))
  useEffect(() => {
    const element = ref.current
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const { left, top } = (element as HTMLElement).getBoundingClientRect()
      setCamera(zoomed(latest.current, Math.exp(-event.deltaY / 300), event.clientX - left, event.clientY - top))
    }
    element?.addEventListener("wheel", wheel, { passive: false })
    return () => element?.removeEventListener("wheel", wheel)
  }, [])
  const press = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const act: Record<string, () => void> = {
      ArrowLeft: () => setCamera(moved(shown, 40, 0)),
      ArrowRight: () => setCamera(moved(shown, -40, 0)),
      ArrowUp: () => setCamera(moved(shown, 0, 40)),
      ArrowDown: () => setCamera(moved(shown, 0, -40)),
      "+": () => zoom(1.25),
      "-": () => zoom(0.8),
      "0": () => setCamera(undefined),
    }
    const todo = act[event.key]
    if (todo === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    todo()
  }
  return (
    <div
      class="diagram-room"
      ref={ref}
      style={{ height: px(height) }}
      tabIndex={0}
      role="group"
      aria-label="Diagram: arrow keys move it, plus and minus zoom, 0 fits it"
      onKeyDown={press}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        drag.current = { x: event.clientX, y: event.clientY, moved: false }
      }}
      onPointerMove={(event) => {
        const from = drag.current
        if (from === undefined) return
        const [dx, dy] = [event.clientX - from.x, event.clientY - from.y]
        if (!from.moved && Math.hypot(dx, dy) < 4) return
        if (!from.moved) event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { x: event.clientX, y: event.clientY, moved: true }
        setCamera(moved(latest.current, dx, dy))
      }}
      onPointerUp={() => (drag.current = undefined)}
      onPointerCancel={() => (drag.current = undefined)}
    >
      {width === 0 ? null : (
        <svg class="diagram" width={width} height={height}>
          <g transform={`translate(${shown.x} ${shown.y}) scale(${shown.scale})`}>
            <DiagramLines lines={diagram.lines} lit={lit} />
            <DiagramBoxes system={system} boxes={diagram.boxes} onLight={setLit} />
          </g>
        </svg>
      )}
      <div class="diagram-tools">
        <IconButton icon="plus" label="Zoom in" onClick={() => zoom(1.25)} />
        <IconButton icon="minus" label="Zoom out" onClick={() => zoom(0.8)} />
        <IconButton icon="fit" label="Fit the diagram" onClick={() => setCamera(undefined)} />
      </div>
    </div>
  )
}

const heightFor = ({ width, height }: PlacedDiagram, room: number): number =>
  room === 0
    ? 420
    : Math.round(Math.min(MOST_HEIGHT, Math.max(300, (height * Math.min(room, width * 1.1)) / width + 32)))
