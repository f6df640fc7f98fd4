import { Icon } from "studio/parts/icon.tsx"
import { Frame } from "../shell/frame.tsx"
import { labelOf } from "../shell/labels.ts"
import { studioHref } from "../shell/studio-href.ts"
import { about } from "../state/about.ts"
import { useFresh } from "../state/refresh.ts"
import { Sparkline } from "../parts/sparkline.tsx"
import { health, loadMetrics, rates } from "./metrics.ts"
import { stories } from "./stories.ts"

const EVERY_MS = 2000

/** What runs here, how it is doing, and where to go. */
export function FrontPage() {
  useFresh(loadMetrics, EVERY_MS)
  const { systems = [], studio = false } = about.value ?? {}
  return (
    <Frame drawer={false}>
      <div class="page">
        <div class="page-head">
          <div>
            <h1>{systems.length} systems, each on its own part of Redis</h1>
            <p class="lead">
              Each was described by one page about its keys. Here they run: use them, and watch what every action does
              to Redis.
            </p>
          </div>
          <HealthBadge />
        </div>
        <ul class="systems">
          {systems.map(({ name, prefix, doc }) => (
            <li key={name} class="card system">
              <div class="system-head">
                <h2>
                  <a href={prefix}>{labelOf(name)}</a>
                </h2>
                <Rate of={name} />
              </div>
              <p>{stories[name] ?? doc}</p>
              <p class="quiet small">{doc}</p>
              <p class="system-links">
                <a class="button first" href={prefix} aria-label={`Open the ${labelOf(name)}`}>
                  Open
                </a>
                <a class="tool" href={`/docs#/${name}`} aria-label={`The API of the ${labelOf(name)}`}>
                  API
                </a>
                {studio ? (
                  <a
                    class="tool"
                    href={studioHref(name)}
                    target="_blank"
                    rel="noopener"
                    aria-label={`The ${labelOf(name)} in the studio`}
                  >
                    In the studio <Icon name="external" />
                  </a>
                ) : null}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </Frame>
  )
}

function HealthBadge() {
  const found = health.value
  if (found === undefined) return null
  return (
    <p class={found.status === "ok" ? "badge good large" : "badge bad large"} role="status">
      {found.status === "ok" ? "All is well" : "Something is wrong"}
    </p>
  )
}

function Rate({ of }: { readonly of: string }) {
  const values = rates.value[of] ?? []
  const last = values.at(-1)
  return (
    <span class="rate">
      <Sparkline values={values} />
      <span class="quiet small">{last === undefined ? "" : `${last.toFixed(1)} requests/s`}</span>
    </span>
  )
}
