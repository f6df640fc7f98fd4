import type { View } from "../state/route.ts"
import { href } from "../state/route.ts"
import { systems } from "../state/studio.ts"

interface Props {
  readonly view: View
  readonly chosen: string | undefined
}

/** The same view of another system; with one system there is nothing to choose. */
export const SystemTabs = ({ view, chosen }: Props) =>
  systems.value.length < 2 ? null : (
    <nav class="tabs links" aria-label="Systems">
      {systems.value.map(({ name, title }) => (
        <a key={name} href={href(view, [name])} aria-current={name === chosen ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
