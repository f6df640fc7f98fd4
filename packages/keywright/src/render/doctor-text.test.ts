import { expect, it } from "vitest"
import type { DoctorResult } from "../inspect/doctor/doctor.ts"
import { doctorText } from "./doctor-text.ts"
import { named, plain } from "./paint.cases.ts"

const server = {
  label: "l",
  flavour: "valkey",
  version: "8.1",
  mode: "standalone",
  role: "master",
  uptimeSeconds: 90,
  usedMemory: 2048,
  replicas: 1,
  clients: 2,
}
const base = {
  schemaVersion: 1,
  server,
  schema: { name: null, fingerprint: "f" },
  settings: null,
  ping: { p50: 0.1, p99: 0.4 },
  slow: [],
  unreadable: [],
  findings: [],
  summary: {},
} as unknown as DoctorResult
const head = "Valkey 8.1, standalone master, up 1 min 30 s, 2.0 kB used, 2 clients, 1 replica, PING 0.1 ms (p99 0.4 ms)"
const patterns = ["a", "b", "c", "d", "e", "f"]

it.each<[string, Partial<DoctorResult>, string[]]>([
  ["all is well", {}, [head, "", "nothing endangers this schema"]],
  [
    "another server by its name",
    { server: { ...server, flavour: "redis" } },
    [head.replace("Valkey", "Redis"), "", "nothing endangers this schema"],
  ],
  [
    "a finding with its reasons, and four of the patterns",
    {
      findings: [
        { code: "S.X", severity: "error", message: "m", why: "w", fix: "f", patterns },
        { code: "S.Y", severity: "note", message: "n" },
      ],
    },
    [
      head,
      "",
      "error S.X  m",
      "  why      w",
      "  concerns a, b, c, d and 2 more",
      "  fix      f",
      "",
      "note S.Y  n",
      "",
      "1 error, 1 note",
    ],
  ],
  [
    "the slow log",
    {
      slow: [
        { command: "KEYS", pattern: null, count: 2, worstMs: 30, totalMs: 45.25 },
      ] as unknown as DoctorResult["slow"],
    },
    [
      head,
      "",
      "Slow log by pattern",
      "command  pattern  times  worst ms  total ms",
      "KEYS     -            2      30.0      45.3",
      "",
      "nothing endangers this schema",
    ],
  ],
])("says %s", (_, more, lines) => {
  expect(doctorText({ ...base, ...more }, plain).split("\n")).toEqual(lines)
})

it.each([
  ["error", "red"],
  ["warning", "yellow"],
  ["note", "cyan"],
] as const)("paints %s %s", (severity, colour) => {
  const findings = [{ code: "S.X", severity, message: "m" }] as const
  expect(doctorText({ ...base, findings }, named)).toContain(`bold(${colour}(${severity})) bold(S.X)  m`)
})
