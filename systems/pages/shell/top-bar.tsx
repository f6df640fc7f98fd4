import type { ComponentChildren } from "preact"
import { IconButton } from "studio/parts/icon-button.tsx"
import { Icon } from "studio/parts/icon.tsx"
import { switchTheme, theme } from "studio/state/theme.ts"
import { about } from "../state/about.ts"
import { system } from "../state/place.ts"
import { labelOf } from "./labels.ts"
import { studioHref } from "./studio-href.ts"

/** Where one is, where one can go, and who one is. */
export function TopBar({ account }: { readonly account?: ComponentChildren }) {
  const { systems = [], studio = false } = about.value ?? {}
  const several = systems.length > 1
  return (
    <header class="top">
      <a class="brand" href="/" aria-label="Keywright, all systems">
        <Mark />
        <span>Keywright</span>
      </a>
      <nav aria-label="Systems">
        <ul class="menu">
          {(several ? systems : []).map(({ name, prefix }) => (
            <li key={name}>
              <a href={prefix} aria-current={name === system ? "page" : undefined}>
                {labelOf(name)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="tools">
        {account}
        <a class="tool" href="/docs">
          API
        </a>
        {studio ? (
          <a class="tool" href={studioHref(system)} target="_blank" rel="noopener">
            Studio <Icon name="external" />
          </a>
        ) : null}
        <IconButton
          icon="theme"
          label={theme.value === "dark" ? "Light colours" : "Dark colours"}
          onClick={switchTheme}
        />
      </div>
    </header>
  )
}

/** The mark of the project, as in its icon. */
const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" />
    <g>
      <circle cx="11.5" cy="16" r="4.5" />
      <path d="M16 16h9.5M21.5 16v4M25.5 16v3" />
    </g>
  </svg>
)
