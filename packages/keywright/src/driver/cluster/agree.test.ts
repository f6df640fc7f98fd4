import { expect, test } from "vitest"
import { agreeOnPlaces, agreeOnReplicas } from "./agree.ts"
import type { SlotView } from "./slot-view.ts"

const at = (host: string, name?: string) => ({ host, port: 7000, ...(name !== undefined && { name }) })
const viewOf = (host: string | undefined, ...replicas: string[]): SlotView => [
  {
    from: 0,
    to: 16_383,
    primary: { id: "n", endpoint: host === undefined ? undefined : at(host) },
    replicas: replicas.map((id) => ({ id, endpoint: at(id) })),
  },
]
const there = { endpoint: at("old"), isGone: false }
const gone = { endpoint: at("old"), isGone: true }

test.each([
  ["one that is not known is where most say", undefined, ["b", "a", "a"], "a"],
  ["in a tie, where the first says", undefined, ["b", "a"], "b"],
  ["a known one stays where it is when one says otherwise", there, ["new", "old", "old"], "old"],
  ["when there is no majority", there, ["a", "b", "c"], "old"],
  ["when a half says otherwise", there, ["new", "old"], "old"],
  ["when only one knows where it is, of several", there, ["new", undefined, undefined], "old"],
  ["and moves when a majority says so", there, ["old", "new", "new"], "new"],
  ["one that is gone is where most say", gone, ["new", "new", "old"], "new"],
  ["also if they are few", gone, ["new", undefined, undefined], "new"],
  ["in a tie, where it was", gone, ["new", "old"], "old"],
])("the place of a node: %s", (_, known, said, expected) => {
  expect(
    agreeOnPlaces(
      said.map((host) => viewOf(host)),
      () => known,
    ).get("n"),
  ).toEqual(at(expected))
})

test("a view has one vote, however often it names a node, and the name for its certificate is a part of its place", () => {
  const known = { endpoint: at("old", "old.example"), isGone: false }
  const many: SlotView = Array.from({ length: 9 }, (_, i) => ({ ...viewOf("new")[0]!, from: i, to: i }))
  expect(agreeOnPlaces([many, viewOf("old"), viewOf("old")], () => there).get("n")).toEqual(at("old"))
  expect(agreeOnPlaces([viewOf("old"), viewOf("new")], () => known).get("n")).toEqual(at("old", "old.example"))
  expect(agreeOnPlaces([viewOf("old"), viewOf("old")], () => known).get("n")).toEqual(at("old"))
})

test("replicas are those that a majority names", () => {
  const replicasIn = (...views: SlotView[]) => agreeOnReplicas(views).get("n")
  expect(replicasIn(viewOf("a", "r", "s"))).toEqual(["r", "s"])
  expect(replicasIn(viewOf("a", "thief"), viewOf("a", "r"), viewOf("a", "r", "s"))).toEqual(["r"])
  expect(replicasIn(viewOf("a", "thief"), viewOf("a", "r"))).toEqual([])
})
