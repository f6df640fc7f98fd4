import { expect, it } from "vitest"
import { patternOfKeys } from "../mine/pattern.cases.ts"
import type { Pattern } from "../mine/pattern.ts"
import { idsOf } from "../propose/proposal-params.ts"
import type { FoundEntity, FoundIndex } from "./found-entity.ts"
import { placesOf } from "./places.ts"
import { relationsOf } from "./relations.ts"

const ids = ["1", "2", "3"]
const hash = (name: string, fields: (id: string) => string[]): Pattern =>
  patternOfKeys(
    `${name}:{int}`,
    "hash",
    ids.map((id) => [`${name}:${id}`, ["id", id, "title", `a b ${id}`, ...fields(id)]]),
  )
const index = (spelling: string, type: string, more: Partial<FoundIndex> = {}): FoundIndex => ({
  name: "byAuthor",
  unique: type === "string",
  fields: ["authorId"],
  patterns: [patternOfKeys(spelling, type, [[spelling.replace("{int}", "1"), ["1"]]])],
  ...more,
})
const entity = (name: string, pattern: Pattern, indexes: FoundIndex[] = []): FoundEntity => ({
  name,
  pattern,
  idField: "id",
  indexes,
})

/** The relations of posts by users, whose ids stand at these places. */
function found({ authors = (id: string) => id, indexes = [] as FoundIndex[], sets = [] as Pattern[] } = {}) {
  const [user, post] = [hash("user", () => []), hash("post", (id) => ["authorId", authors(id)])]
  const at = (pattern: Pattern, place: object) =>
    placesOf(pattern).filter((one) => JSON.stringify(one.at) === JSON.stringify(place))
  const known = idsOf(
    [
      {
        name: "user",
        places: [
          ...at(user, { param: 0 }),
          ...at(post, { field: "authorId" }),
          ...sets.flatMap((one) => at(one, { param: 0 })),
        ],
      },
      { name: "post", places: [...at(post, { param: 0 }), ...sets.flatMap((one) => at(one, { part: "member" }))] },
    ],
    [],
  )
  const entities = [entity("user", user), entity("post", post, indexes)]
  const relations = relationsOf(entities, [user, post, ...sets], known, (pattern) =>
    sets.includes(pattern) ? "likes" : undefined,
  )
  return entities.map((one) => relations.get(one))
}

it.each<[string, object, Parameters<typeof found>[0]]>([
  ["a field that holds an id", [{}, { author: { one: "user", from: "authorId" } }], {}],
  [
    "one that leads to nobody",
    [{}, { author: { one: "user", from: "authorId", mayDangle: true } }],
    { authors: (id) => (id === "3" ? "9" : id) },
  ],
  [
    "an index on the field, called as its key says",
    [{}, { author: { one: "user", from: "authorId", inverse: "articles" } }],
    { indexes: [index("user:{int}:articles", "set")] },
  ],
  [
    "an index on the field whose key says nothing",
    [{}, { author: { one: "user", from: "authorId", inverse: "posts" } }],
    { indexes: [index("post:author:{int}", "set")] },
  ],
  [
    "a unique index on the field",
    [{ post: { one: "post", by: "byAuthor" } }, { author: { one: "user", from: "authorId" } }],
    { indexes: [index("post:author:{int}", "string")] },
  ],
  [
    "an index of some",
    [{}, { author: { one: "user", from: "authorId" } }],
    { indexes: [index("user:{int}:articles", "set", { where: { isOpen: true } })] },
  ],
  [
    "sets of ids between two",
    [{ likes: { many: "post", through: "likes" } }, { author: { one: "user", from: "authorId" } }],
    { sets: [patternOfKeys("user:{int}:likes", "set", [["user:1:likes", ids]])] },
  ],
])("finds the relations of %s", (_, relations, given) => {
  expect(found(given)).toEqual(relations)
})

it("calls them by their place in the proposal, and leaves sets out that have none", () => {
  const [user, post] = [
    entity(
      "user",
      hash("user", () => []),
    ),
    entity(
      "post",
      hash("post", (id) => ["userId", id]),
    ),
  ]
  const known: Record<string, string> = { ".userId": "user", member: "post" }
  const of = (pattern: Pattern, at: string) => (at === "{0}" ? (pattern === post.pattern ? "post" : "user") : known[at])
  const set = patternOfKeys("user:{int}:likes", "set", [["user:1:likes", ids]])
  const nameOf = (pattern: Pattern) => (pattern === user.pattern ? "db0.user" : undefined)
  const relations = relationsOf([user, post], [set], { of, spec: () => undefined, isSecret: () => false }, nameOf)
  expect([relations.get(user), relations.get(post)]).toEqual([{}, { user: { one: "db0.user", from: "userId" } }])
})
