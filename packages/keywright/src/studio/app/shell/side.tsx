import { Icon, type IconName } from "../parts/icon.tsx"
import { IconButton } from "../parts/icon-button.tsx"
import { helping, placesNow, searching } from "../state/keyboard.ts"
import { href, route } from "../state/route.ts"
import { audits, pulses, session } from "../state/studio.ts"
import { switchTheme, theme } from "../state/theme.ts"

/** The navigation: the same at every view. */
export function Side() {
  const { view } = route.value
  const current = view === "key" ? "browse" : view === "edit" ? "changes" : view
  return (
    <header class="side">
      <a class="brand" href={href("overview")}>
        <img src="/icon.svg" alt="" />
        <span>
          Keywright <small>Studio</small>
        </span>
      </a>
      <button type="button" class="opener" onClick={() => (searching.value = true)}>
        <Icon name="search" /> Search <kbd>/</kbd>
      </button>
      <nav aria-label="Views">
        <ul class="menu">
          {placesNow().map(([, { view: to, text }]) => (
            <li key={to}>
              <a href={href(to)} aria-current={to === current ? "page" : undefined}>
                <Icon name={to as IconName} />
                {text}
                {to === "audit" ? <Findings /> : null}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-foot">
        <ServerCard />
        <div class="side-tools">
          <IconButton
            icon="theme"
            label={theme.value === "dark" ? "Light theme" : "Dark theme"}
            onClick={switchTheme}
          />
          <IconButton icon="help" label="Keyboard shortcuts" onClick={() => (helping.value = true)} />
        </div>
      </div>
    </header>
  )
}

function Findings() {
  const count = Object.values(audits.value).reduce((sum, { findings }) => sum + findings, 0)
  return count === 0 ? null : (
    <span class="badge warn">
      {count.toLocaleString("en-US")} <span class="for-readers">findings</span>
    </span>
  )
}

/** Which servers are looked at, and what may be done to them. */
function ServerCard() {
  const servers = new Map(
    Object.values(pulses.value).map(({ flavour, version, up }) => [`${flavour} ${version}`, up] as const),
  )
  return (
    <div class="server-card">
      {servers.size === 0 ? <b>…</b> : null}
      {[...servers].map(([name, up]) => (
        <b key={name}>
          <span class={up ? "dot" : "dot off"} />
          {up ? name : `${name}: no answer`}
        </b>
      ))}
      <span>{session.value?.write ? "Writing is allowed" : "Read only"}</span>
    </div>
  )
}
