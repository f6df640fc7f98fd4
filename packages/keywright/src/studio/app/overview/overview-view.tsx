import { route } from "../state/route.ts"
import { systems } from "../state/studio.ts"
import { AllSystems } from "./all-systems.tsx"
import { OneSystem } from "./one-system.tsx"

/** `#/overview` is all systems, `#/overview/shop` is one; with only one, both are that. */
export function OverviewView() {
  const [name = systems.value.length === 1 ? systems.value[0]!.name : undefined] = route.value.path
  return name === undefined ? <AllSystems /> : <OneSystem name={name} key={name} />
}
