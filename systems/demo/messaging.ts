/* People of two teams: they come and go, and write to each other and in channels. */

import { loggedIn } from "./caller.ts"
import { NAMES, type Play } from "./people.ts"

export const TEAMS = [
  { tenant: "123", account: "007", project: "456", service: "789" },
  { tenant: "123", account: "008", project: "457", service: "790" },
]
const WORDS = ["Shall we meet at eight?", "Done.", "Where is the key?", "Good morning!", "I am late.", "See you."]
/** Names in the two log-in forms of the page. */
const PROPOSED = NAMES.slice(0, 2)
const MOODS = ["online", "online", "idle"]

interface Person {
  readonly id: string
  readonly ask: Awaited<ReturnType<typeof loggedIn>>
  readonly contacts: readonly string[]
  readonly channel: string
}

export const messagingPeople: Play = async ({ call, admin }, random) => {
  const people: Person[] = []
  for (const [n, { service: serviceId, ...team }] of TEAMS.entries()) {
    const members = NAMES.slice(n * 10, n * 10 + 10)
    const place = `/source/${team.project}/${serviceId}`
    const [owner, ...others] = members as [string, ...string[]]
    for (const user of members) {
      const contacts = random.some(
        members.filter((one) => one !== user),
        4,
      )
      await admin(`PUT ${place}/users/${user}`, { contacts, channels: ["general"] })
    }
    await admin(`PUT ${place}/channels/general`, {
      name: "General",
      description: "For everybody.",
      type: "public",
      subscribers: members,
      owners: [owner],
      managers: others.slice(0, 1),
    })
    await admin(`PUT /v1/projects/${team.project}/push-credentials`, {
      googleServerKey: `demo-server-key-${team.project}`,
      googleProjectNumber: "814227",
    })
    for (const user of members) {
      const ask = await loggedIn(call, async () => {
        const { refreshToken } = await admin("POST /v1/saas/tokens", { ...team, serviceId, service: "roc", user })
        const { accessToken } = await call("POST /v1/auth/token", { refreshToken })
        return accessToken as string
      })
      const { contacts } = await ask("GET /v1/roc/contacts")
      people.push({ id: user, ask, contacts: contacts as string[], channel: "general" })
    }
  }

  const say = ({ ask, contacts, channel }: Person) => {
    const to = random.chance(40) || contacts.length === 0 ? { channel } : { receiver: random.pick(contacts) }
    return ask("POST /v1/roc/messages", { ...to, body: random.pick(WORDS) })
  }
  const state = ({ ask }: Person) => ask("POST /v1/roc/status", { behavioral_status: random.pick(MOODS) })

  // The people that the page offers do nothing by themselves: the person in front of the page speaks for them.
  const others = people.filter(({ id }) => !PROPOSED.includes(id))
  for (const person of people) await state(person)
  for (let i = 0; i < 60; i++) await say(random.pick(people))

  return {
    act: () => {
      const person = random.pick(others)
      if (random.chance(30)) return person.ask("GET /v1/roc/status")
      if (random.chance(20)) return state(person)
      if (random.chance(10)) return person.ask("GET /v1/roc/channels/general")
      return say(person)
    },
  }
}
