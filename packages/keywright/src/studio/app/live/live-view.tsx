/* Commands as they happen: rates by pattern as a moving chart and a table, and the
 * stream itself. They are watched only while this view is open. */

import { useEffect, useRef, useState } from "preact/hooks"
import type { LiveCommand, LiveFrame } from "../../api.ts"
import { Empty } from "../parts/empty.tsx"
import { PageHead } from "../parts/page-head.tsx"
import { SystemTabs } from "../parts/system-tabs.tsx"
import { watchCommands } from "../state/events.ts"
import { route } from "../state/route.ts"
import { systems } from "../state/studio.ts"
import { CommandStream } from "./command-stream.tsx"
import { addFrame, type Frames } from "./frames.ts"
import { RatesChart } from "./rates-chart.tsx"
import { RatesTable } from "./rates-table.tsx"
import { SlowCard } from "./slow-card.tsx"

export interface Passed extends LiveCommand {
  readonly system: string
  readonly number: number
}

const MOST = 400

export function LiveView() {
  const [chosen] = route.value.path
  const watchable = systems.value.filter(({ live }) => live).map(({ name }) => name)
  const names = chosen === undefined ? watchable : watchable.filter((name) => name === chosen)
  const [frames, setFrames] = useState<Frames>({})
  const [commands, setCommands] = useState<readonly Passed[]>([])
  const [paused, setPaused] = useState(false)
  const [missed, setMissed] = useState(0)
  const isPaused = useRef(paused)
  const number = useRef(0)
  isPaused.current = paused
  useEffect(() => {
    if (names.length === 0) return
    setFrames({})
    setCommands([])
    const onFrame = (frame: LiveFrame) => setFrames((known) => addFrame(known, frame))
    return watchCommands(names, onFrame, ({ system, commands: passed, more }) => {
      if (isPaused.current) {
        setMissed((count) => count + passed.length + more)
        return
      }
      const numbered = passed.map((one) => ({ ...one, system, number: number.current++ }))
      setCommands((known) => [...numbered.toReversed(), ...known].slice(0, MOST))
    })
  }, [names.join(" ")])
  const pause = () => {
    setPaused(!paused)
    setMissed(0)
  }
  return (
    <div class="page">
      <PageHead title="Live" lead="Calls are counted by the server; which patterns they touch is sampled.">
        <SystemTabs view="live" chosen={chosen} all />
      </PageHead>
      {names.length === 0 ? (
        <div class="card">
          <Empty
            title="Commands cannot be watched here"
            text="This server does not allow MONITOR, or the connection is not the studio’s own."
          />
        </div>
      ) : (
        <div class="stack">
          <RatesChart frames={frames} several={names.length > 1} />
          <div class="columns live-columns">
            <RatesTable frames={frames} several={names.length > 1} />
            <CommandStream
              commands={commands}
              paused={paused}
              missed={missed}
              onPause={pause}
              several={names.length > 1}
            />
          </div>
          {names.map((name) => (
            <SlowCard key={name} system={name} />
          ))}
        </div>
      )}
    </div>
  )
}
