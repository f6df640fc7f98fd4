import { useEffect } from "preact/hooks"
import { Icon } from "studio/parts/icon.tsx"
import { PageHead } from "studio/parts/page-head.tsx"
import { Frame } from "../shell/frame.tsx"
import { labelOf } from "../shell/labels.ts"
import { studioHref } from "../shell/studio-href.ts"
import { about } from "../state/about.ts"
import { useFresh } from "../state/refresh.ts"
import { Sparkline } from "../parts/sparkline.tsx"
import { health, loadMetrics, rates } from "./metrics.ts"

const EVERY_MS = 2000
const SOON_MS = 500
/** What to try first in each system. */
const stories: Readonly<Record<string, string>> = {
  shop: "Look at things and fill a cart; see which rows and pages come from Redis, and how old they are.",
  messaging: "Two people side by side: presence, invites, a ban, and messages as they arrive.",
  carto: "A map user's views and queries as charts, and a rename that moves everything.",
  recommender: "A feed that says why each post is in it, and the nightly run that makes the next one.",
  restaurant: "Order a soup, pay for it, and see the kitchen deliver it.",
}
const NUMBERS = ["No", "One", "Two", "Three", "Four", "Five"]

/** What runs here, how it is doing, and where to go. */
export function FrontPage() {
  useFresh(loadMetrics, EVERY_MS)
  useEffect(() => {
    // A rate takes two looks: the second one comes soon.
    const soon = setTimeout(() => void loadMetrics().catch(() => undefined), SOON_MS)
    return () => clearTimeout(soon)
  }, [])
  const { systems = [], studio = false } = about.value ?? {}
  return (
    <Frame drawer={false}>
      <div class="page">
        <PageHead
          title={`${NUMBERS[systems.length] ?? systems.length} systems, each on its own part of Redis`}
          lead="Each was described by one page about its keys. Here they run: use them, and watch what every action does to Redis."
        >
          <HealthBadge />
        </PageHead>
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
          {studio ? <StudioCard /> : null}
        </ul>
      </div>
    </Frame>
  )
}

const StudioCard = () => (
  <li class="card system">
    <h2>
      <a href={studioHref()} target="_blank" rel="noopener">
        Studio
      </a>
    </h2>
    <p>Every key of these systems by pattern: browse them, audit them, and watch commands as they come in.</p>
    <p class="quiet small">For administrators. Some data here has been damaged on purpose: the audit finds it.</p>
    <p class="system-links">
      <a class="button first" href={studioHref()} target="_blank" rel="noopener" aria-label="Open the Studio">
        Open <Icon name="external" />
      </a>
    </p>
  </li>
)

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
