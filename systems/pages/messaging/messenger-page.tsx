import { signal } from "@preact/signals"
import { PageHead } from "studio/parts/page-head.tsx"
import { LoginForm } from "../parts/login-form.tsx"
import { Frame } from "../shell/frame.tsx"
import { about, isDemo } from "../state/about.ts"
import { call } from "../state/call.ts"
import { useFresh } from "../state/refresh.ts"
import { Pane } from "./pane.tsx"
import { exchange, type Person, personOf, tokenFor } from "./person.ts"

type Side = "left" | "right"
const SIDES: readonly Side[] = ["left", "right"]

const people = {
  left: signal<Person | undefined>(undefined),
  right: signal<Person | undefined>(undefined),
}
const why = { left: signal<string | undefined>(undefined), right: signal<string | undefined>(undefined) }

/** The messenger: two people side by side. */
export function MessengerPage() {
  useFresh(() => Promise.all(SIDES.map((side) => people[side].value?.load())), 10_000)
  return (
    <Frame>
      <div class="page wide">
        <PageHead title="The messenger" lead="Two people, side by side: what one does, the other sees at once." />
        <div class="panes">
          {SIDES.map((side, i) => {
            const person = people[side].value
            return person === undefined ? <WayIn key={side} side={side} nth={i} /> : <Pane key={side} person={person} />
          })}
        </div>
      </div>
    </Frame>
  )
}

function enter(side: Side, user: string, accessToken: string): Promise<void> {
  const person = personOf(user, accessToken, (reason) => {
    people[side].value = undefined
    why[side].value = reason === "" ? undefined : reason
  })
  people[side].value = person
  why[side].value = undefined
  return person.comeIn()
}

function WayIn({ side, nth }: { readonly side: Side; readonly nth: number }) {
  const known = about.value?.access?.people["messaging"] ?? []
  return (
    <LoginForm
      title={nth === 0 ? "First person" : "Second person"}
      lead={
        isDemo.value
          ? `Anybody from the team: ${known.slice(0, 6).join(", ")} …`
          : "With a refresh token, issued by the management of the service."
      }
      why={why[side].value}
      fields={
        isDemo.value
          ? [{ name: "user", label: nth === 0 ? "Name on the left" : "Name on the right", value: known[nth] ?? "" }]
          : [{ name: "refreshToken", label: "Refresh token", type: "password" }]
      }
      button="Log in"
      onSubmit={async ({ user, refreshToken }) => {
        if (user !== undefined) return enter(side, user, await tokenFor(user))
        const token = await exchange("somebody", refreshToken ?? "")
        const found = await call<{ user: string }>("GET /v1/auth/introspect", { authorization: `Token ${token}` })
        return enter(side, found.user, token)
      }}
    />
  )
}
