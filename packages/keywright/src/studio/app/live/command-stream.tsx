import { useState } from "preact/hooks"
import { countText } from "../../../render/quantity.ts"
import { Card } from "../parts/card.tsx"
import { IconButton } from "../parts/icon-button.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import type { Passed } from "./live-view.tsx"

interface Props {
  readonly commands: readonly Passed[]
  readonly paused: boolean
  /** How many passed by since it was paused. */
  readonly missed: number
  readonly onPause: () => void
  readonly several: boolean
}

const SHOWN = 150

/** The commands themselves, the newest first; never their values. */
export function CommandStream({ commands, paused, missed, onPause, several }: Props) {
  const [filter, setFilter] = useState("")
  const wanted = filter.trim().toLowerCase()
  const shown = commands.filter((one) => wanted === "" || commandLine(one).includes(wanted)).slice(0, SHOWN)
  return (
    <Card
      title="Stream"
      class="live-list"
      aside={
        <div class="stream-tools">
          {paused ? <span class="badge warn">paused, {countText(missed)} since</span> : null}
          <input
            class="input small-input"
            type="search"
            placeholder="Filter…"
            aria-label="Filter the stream by command, key or pattern"
            spellcheck={false}
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
          <IconButton
            icon={paused ? "play" : "pause"}
            label={paused ? "Resume the stream" : "Pause the stream"}
            pressed={paused}
            onClick={onPause}
          />
        </div>
      }
    >
      <div class="live-scroll stream" tabIndex={0} role="region" aria-label="Stream of commands">
        {shown.length === 0 ? (
          <p class="quiet small body">{wanted === "" ? "Listening…" : "Nothing that passed fits the filter."}</p>
        ) : (
          <table class="table">
            <tbody>
              {shown.map((one) => (
                <tr key={one.number}>
                  <td class="quiet nowrap">{one.at.slice(11, 19)}</td>
                  <td>
                    <b class="command-name">{one.command}</b>
                  </td>
                  <td class="stream-key">
                    {one.key === undefined ? (
                      <span class="quiet">–</span>
                    ) : (
                      <code class="key cut" title={one.pattern}>
                        <ShownText text={one.key} />
                      </code>
                    )}
                  </td>
                  <td class="quiet small nowrap">
                    {one.script ? "script " : ""}
                    {several ? one.system : ""}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Card>
  )
}

const commandLine = ({ command, key, pattern, system }: Passed): string =>
  `${command} ${key ?? ""} ${pattern ?? ""} ${system}`.toLowerCase()
