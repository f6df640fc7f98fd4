import { href, type View } from "../state/route.ts"
import { systems } from "../state/studio.ts"

interface Props {
  readonly view: View
  readonly chosen: string | undefined
  /** Also all of them at once. */
  readonly all?: boolean
}

/** The same view of another system; with one system there is nothing to choose. */
export const SystemTabs = ({ view, chosen, all = false }: Props) =>
  systems.value.length < 2 ? null : (
    <nav class="tabs links" aria-label="Systems">
      {all ? (
        <a href={href(view)} aria-current={chosen === undefined ? "page" : undefined}>
          All
        </a>
      ) : null}
      {systems.value.map(({ name, title }) => (
        <a key={name} href={href(view, [name])} aria-current={name === chosen ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
