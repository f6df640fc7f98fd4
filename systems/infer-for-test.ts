/* What the demonstration does not touch, written as the documents' own commands do, so
 * that every pattern of the five documents has keys. */

import type { Driver } from "./inferred-for-test.ts"
import { NAMES } from "./demo/people.ts"

type Command = readonly string[]

const deadline = (seconds: number): string => String(Date.now() + seconds * 1000)
const some = <T>(all: readonly T[], from: number, count: number): T[] =>
  Array.from({ length: count }, (_, i) => all[(from * 3 + i) % all.length]!)

const TEAMS = [
  ["456", "789", NAMES.slice(0, 10)],
  ["457", "790", NAMES.slice(10, 20)],
] as const

function messaging(): Command[] {
  return TEAMS.flatMap(([project, service, people], team) => {
    const x = `P:${project}:S:${service}`
    const channels = Array.from({ length: 8 }, (_, i) => `c${team}${i + 1}`)
    const subscribers = new Map(channels.map((channel, i) => [channel, some(people, i, 4)]))
    const invite = (n: number) => `inv${team}${100 + n}`
    const commands: Command[] = [
      ["SET", `P:${project}:PAPC`, "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"],
    ]
    channels.forEach((channel, i) => {
      const at = deadline(10_000 + i)
      const key = `${x}:Ch:${channel}`
      const own: [string, ...string[]][] = [
        [":Sub", ...subscribers.get(channel)!],
        [":Own", people[i]!],
        [":Man", ...some(people, i + 1, 2)],
        [":BanSub", people[9 - i]!],
        [":JR", invite(i)],
        [":Inv", invite(i + 20), invite(i + 30)],
      ]
      commands.push([
        "HSET",
        key,
        "name",
        `Channel ${i}`,
        "description",
        "About it.",
        "type",
        i % 2 ? "public" : "private",
      ])
      for (const [name, ...members] of own) commands.push(["SADD", key + name, ...members])
      for (const name of ["", ...own.map(([one]) => one)]) commands.push(["PEXPIREAT", key + name, at])
    })
    people.forEach((person, i) => {
      const at = deadline(9000 + i)
      const key = `${x}:Sub:${person}:`
      const mine = channels.filter((channel) => subscribers.get(channel)!.includes(person))
      const own: [string, ...string[]][] = [
        ["C", ...some(people, i, 3)],
        ["Ch", "general", ...mine],
        ["BanCh", channels[i % 8]!],
        ["BanSub", people[(i + 5) % 10]!],
        ["Inv", invite(i + 20)],
        ["JR", invite(i % 8)],
      ]
      for (const [name, ...members] of own)
        commands.push(["SADD", key + name, ...members], ["PEXPIREAT", key + name, at])
    })
    return commands
  })
}

const TABLES = ["routes", "parks", "stations", "rivers", "trees", "bus_stops", "districts", "shops", "museums", "lakes"]

function carto(): [number, Command][] {
  const commands: [number, Command][] = []
  for (let user = 101; user <= 105; user++)
    for (const table of some(TABLES, user, 4)) {
      const key = `rails:cartodb_user_${user}_db:${table}`
      const fields = [
        "the_geom_type",
        "point",
        "infowindow",
        "{}",
        "privacy",
        String(user % 2),
        "user_id",
        String(user),
      ]
      commands.push([0, ["HSET", key, ...fields]])
    }
  for (let day = 1; day <= 9; day++)
    for (let n = 0; n < 3; n++) commands.push([1, ["LPUSH", `log-2026-11-0${day}`, `10.0.${n}.${day}#maps#show`]])
  return commands
}

async function restaurant(driver: Driver): Promise<Command[]> {
  const orders = (await driver.send(["SMEMBERS", "order:list"])) as string[]
  const users = (await driver.send(["SMEMBERS", "user:list"])) as string[]
  const line = { id: "1", dishId: "2", quantity: 1, price: 10, total: 10 }
  return [
    ...orders.slice(0, 20).flatMap((id) => [
      ["SET", `order:index:paymentRef:VNPAY${id}a`, id],
      ["SET", `order:index:paymentRef:VNPAY${id}b`, id],
    ]),
    ...users.map((id) => ["SET", `cache:cart:${id}`, JSON.stringify({ id: `7${id}`, items: [line] }), "EX", "300"]),
  ]
}

/** Writes it, given a driver for each database. */
export async function writeTheRest(
  system: string,
  home: number,
  driverOf: (db: number) => Promise<Driver> | Driver,
): Promise<void> {
  const write = async (db: number, commands: readonly Command[]) => void (await (await driverOf(db)).batch(commands))
  if (system === "messaging") await write(home, messaging())
  if (system === "restaurant") await write(home, await restaurant(await driverOf(home)))
  if (system === "carto") for (const [db, command] of carto()) await write(db, [command])
}
