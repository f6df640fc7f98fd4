/* Entities. */

import { counter, entity, int, json, keyspace, set, string, text, type Keyspace } from "../../../index.ts"
import { forever, scene, status, person, people, both, plainPerson, type Scene } from "./scene.cases.ts"

export const entityScenes: readonly Scene[] = [
  scene("STORE.CHANGED", plainPerson, entity("x:{id}", { id: text, name: text, email: text, age: int }), both(people)),
  scene("STORE.CHANGED", entity("x:{id}", { id: text, name: text, email: text, age: int }), plainPerson, both(people)),
  scene("INDEX.ADDED", plainPerson, entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }), both(people)),
  scene(
    "INDEX.DROPPED",
    entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
    plainPerson,
    both(people),
  ),
  scene(
    "INDEX.CHANGED",
    entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
    entity("x:{id}", json(person), { index: { name: "x:byname:{name}" } }),
    both(people),
  ),
  scene(
    "INDEX.CHANGED",
    entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
    entity("x:{id}", json(person), { index: { name: { patterns: "x:name:{name}", where: { age: 7 } } } }),
    both(people),
  ),
  scene(
    "MIRROR.ADDED",
    entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
    entity("x:{id}", json(person), { index: { name: ["x:name:{name}", "name:{name}:x"] } }),
    both(people),
  ),
  scene(
    "MIRROR.REMOVED",
    entity("x:{id}", json(person), { index: { name: ["x:name:{name}", "name:{name}:x"] } }),
    entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
    both(people),
  ),
  scene(
    "UNIQUE.ADDED",
    plainPerson,
    entity("x:{id}", json(person), { unique: { email: "x:email:{email}" } }),
    both(people),
  ),
  scene(
    "UNIQUE.DROPPED",
    entity("x:{id}", json(person), { unique: { email: "x:email:{email}" } }),
    plainPerson,
    both(people),
  ),
  scene(
    "UNIQUE.CHANGED",
    entity("x:{id}", json(person), { unique: { email: "x:email:{email}" } }),
    entity("x:{id}", json(person), { unique: { email: "x:mail:{email}" } }),
    both(people),
  ),
  // One pattern under which both keep an index, of another Redis type each.
  scene(
    "KIND.TYPE",
    entity("x:{id}", json(person), { index: { email: "x:email:{email}" } }),
    entity("x:{id}", json(person), { unique: { email: "x:email:{email}" } }),
    both(people),
  ),
  scene(
    "KIND.TYPE",
    entity("x:{id}", json(person), { unique: { email: "x:email:{email}" } }),
    entity("x:{id}", json(person), { index: { mail: "x:email:{email}" } }),
    both(people),
  ),
  scene(
    "KIND.TYPE",
    entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
    entity("x:{id}", json(person), { index: { name: { patterns: "x:name:{name}", score: "age" } } }),
    both(people),
  ),
  scene(
    "KIND.TYPE",
    entity("x:{id}", json(person), { index: { name: { patterns: "x:name:{name}", score: "age" } } }),
    entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
    both(people),
  ),
  scene("ALL.ADDED", plainPerson, entity("x:{id}", json(person), { all: "x:all" }), both(people)),
  scene("ALL.DROPPED", entity("x:{id}", json(person), { all: "x:all" }), plainPerson, both(people)),
  scene(
    "ALL.MOVED",
    entity("x:{id}", json(person), { all: "x:all" }),
    entity("x:{id}", json(person), { all: "x:list" }),
    both(people),
  ),
  scene(
    ["IDS.SOURCE", "COUNTER.ADDED"],
    plainPerson,
    entity("x:{id}", json(person), { counter: "x:next" }),
    both(people),
  ),
  scene(
    ["IDS.SOURCE", "COUNTER.DROPPED"],
    entity("x:{id}", json(person), { counter: "x:next" }),
    plainPerson,
    both(people),
  ),
  scene(
    "COUNTER.MOVED",
    entity("x:{id}", json(person), { counter: "x:next" }),
    entity("x:{id}", json(person), { counter: "x:counter" }),
    both(people),
  ),
  scene("STAMPS.ADDED", plainPerson, entity("x:{id}", json(person), { stamps: ["createdAt"] }), both(people)),
  scene("STAMPS.REMOVED", entity("x:{id}", json(person), { stamps: ["createdAt"] }), plainPerson, both(people)),
  scene("ENUM.REMOVED", entity("x:{id}", json(status("a", "b"))), entity("x:{id}", json(status("a"))), {
    records: {
      before: [
        { id: "1", status: "a" },
        { id: "2", status: "b" },
      ],
      after: [
        { id: "1", status: "a" },
        { id: "2", status: "a" },
      ],
    },
  }),
  scene("ENUM.ADDED", entity("x:{id}", json(status("a"))), entity("x:{id}", json(status("a", "b"))), {
    records: {
      before: [
        { id: "1", status: "a" },
        { id: "2", status: "a" },
      ],
      after: [
        { id: "1", status: "a" },
        { id: "2", status: "b" },
      ],
    },
  }),
  // A plain value that becomes an entity, and the other way round.
  scene([], string("x:{id}", json(person)), plainPerson, both(people)),
  scene([], plainPerson, string("x:{id}", json(person)), both(people)),
  scene(
    "INDEX.ADDED",
    string("x:{id}", json(person)),
    entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
    both(people),
  ),
  scene(
    "INDEX.DROPPED",
    entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
    string("x:{id}", json(person)),
    both(people),
  ),
  scene(
    ["UNIQUE.ADDED", "ALL.ADDED"],
    string("x:{id}", json(person)),
    entity("x:{id}", json(person), { unique: { email: "x:email:{email}" }, all: "x:all" }),
    both(people),
  ),
  scene(
    ["UNIQUE.DROPPED", "ALL.DROPPED"],
    entity("x:{id}", json(person), { unique: { email: "x:email:{email}" }, all: "x:all" }),
    string("x:{id}", json(person)),
    both(people),
  ),
  // What was kept by hand is kept by the entity from now on, and the other way round.
  {
    ...scene(
      "INDEX.ADDED",
      plainPerson,
      entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
      both(people),
    ),
    before: keyspace({ x: plainPerson, byName: set("x:name:{name}", text) }, forever) as Keyspace,
  },
  {
    ...scene(
      "INDEX.DROPPED",
      entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
      plainPerson,
      both(people),
    ),
    after: keyspace({ x: plainPerson, byName: set("x:name:{name}", text) }, forever) as Keyspace,
  },
  {
    ...scene(
      ["IDS.SOURCE", "COUNTER.ADDED"],
      plainPerson,
      entity("x:{id}", json(person), { counter: "x:next" }),
      both(people),
    ),
    before: keyspace({ x: plainPerson, next: counter("x:next") }, forever) as Keyspace,
  },
  scene("PATTERN.MOVED", plainPerson, entity("y:{id}", json(person)), both(people)),
]
