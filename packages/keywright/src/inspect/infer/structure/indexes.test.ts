import { expect, it } from "vitest"
import { askOf, type Held, patternOfKeys } from "../mine/pattern.cases.ts"
import type { Pattern } from "../mine/pattern.ts"
import type { FoundEntity } from "./found-entity.ts"
import { indexOf } from "./indexes.ts"

const ids = ["1", "2", "3", "4", "5", "6", "7", "8"]
const team = (id: string) => `t${Number(id) % 2}`
const at = (id: string) => new Date(1_760_000_000_000 + 61_000 * Number(id)).toISOString()
const documents: Held = ids.map((id) => [
  `task:${id}`,
  [
    JSON.stringify({
      id: Number(id),
      mail: `u${id}@x.org`,
      team: team(id),
      isOpen: Number(id) > 4,
      weight: 7 * Number(id),
      at: at(id),
    }),
  ],
])
const task = patternOfKeys("task:{int}", "string", documents)
const entity: FoundEntity = { name: "task", pattern: task, idField: "id", indexes: [] }

const sets = (spelling: string, of: (id: string) => string, some = ids): Pattern => {
  const all = new Map<string, string[]>()
  for (const id of some) all.set(of(id), [...(all.get(of(id)) ?? []), id])
  return patternOfKeys(spelling, "set", [...all])
}
const scored = (score: (id: string) => number, some = ids): Pattern =>
  patternOfKeys("task:order", "zset", [["task:order", some.flatMap((id) => [id, String(score(id))])]])

it.each<[string, object | undefined, Pattern]>([
  [
    "a key for each value of a field",
    { fields: ["mail"] },
    patternOfKeys(
      "task:mail:{email}",
      "string",
      ids.map((id) => [`task:mail:u${id}@x.org`, [id]]),
    ),
  ],
  [
    "a set for each value of a field",
    { fields: ["team"] },
    sets("team:{word}:tasks", (id) => `team:${team(id)}:tasks`),
  ],
  ["scores that are a field's numbers", { fields: [], score: "weight" }, scored((id) => 7 * Number(id))],
  ["scores that are a field's instants", { fields: [], score: "at" }, scored((id) => Date.parse(at(id)))],
  [
    "exactly those with one value",
    { fields: [], where: { isOpen: true } },
    sets("task:open", () => "task:open", ids.slice(4)),
  ],
  ["a set that lacks some documents for no reason", undefined, sets("task:odd", () => "task:odd", ["1", "6", "8"])],
  ["all of them, which is the list and not an index", undefined, sets("task:all", () => "task:all")],
  [
    "sets in which some are missing",
    undefined,
    sets("team:{word}:tasks", (id) => `team:${team(id)}:tasks`, ids.slice(2)),
  ],
  [
    "sets with documents of another value",
    undefined,
    sets("team:{word}:tasks", (id) => `team:${team(id === "3" ? "4" : id)}:tasks`),
  ],
  [
    "sets with all of their documents, and one more",
    undefined,
    patternOfKeys("team:{word}:tasks", "set", [
      ["team:t0:tasks", ["3", "2", "4", "6", "8"]],
      ["team:t1:tasks", ["1", "3", "5", "7"]],
    ]),
  ],
  ["scores that are no field", undefined, scored((id) => (Number(id) * 3) % 8)],
  ["scores of which there are two", undefined, scored(() => 7, ["1"])],
  [
    "ids of something else",
    undefined,
    patternOfKeys(
      "task:mail:{email}",
      "string",
      ids.map((id) => [`task:mail:u${id}@x.org`, [`9${id}`]]),
    ),
  ],
  ["lists", undefined, patternOfKeys("task:recent", "list", [["task:recent", ids]])],
])("%s: %j", async (_, expected, pattern) => {
  const found = await indexOf(pattern, [entity], askOf([task, pattern]))
  expect(found).toEqual(expected && { entity, ...expected })
})

it("takes the entity that is named, where several would do", async () => {
  const job: FoundEntity = {
    ...entity,
    name: "job",
    pattern: patternOfKeys(
      "job:{int}",
      "string",
      documents.map(([key, own]) => [key.replace("task", "job"), own]),
    ),
  }
  const pattern = sets("job:team:{word}", (id) => `job:team:${team(id)}`)
  const found = await indexOf(pattern, [entity, job], askOf([task, job.pattern, pattern]))
  expect(found?.entity.name).toBe("job")
})

it("proves nothing from a source that does not answer", async () => {
  const pattern = sets("team:{word}:tasks", (id) => `team:${team(id)}:tasks`)
  expect(await indexOf(pattern, [entity], askOf([]))).toBeUndefined()
})
