/* Both ways with a real JVM and real Jackson, in the full run: Java reads what was written here, and what Java writes
 * is read here. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as z from "zod"
import { startJvm, type Jvm } from "../../../../../test/jvm.ts"
import { needs } from "../../../../../test/needs.ts"
import { jackson } from "./jackson.ts"

const Line = z.object({ name: z.string(), quantity: z.int(), price: z.number() })
const Sample = z.object({
  id: z.string(),
  quantity: z.int(),
  total: z.number(),
  exact: z.string(),
  status: z.enum(["PENDING", "PAID"]),
  available: z.boolean(),
  none: z.string().nullish(),
  createdAt: z.iso.datetime(),
  tags: z.array(z.string()),
  lines: z.array(Line),
  states: z.array(z.enum(["PENDING", "PAID"])),
  line: Line,
  decimals: z.array(z.string()),
  extra: z.record(z.string(), z.string()),
})
const codec = jackson(Sample, {
  type: "com.shop.Sample",
  fields: {
    exact: "java.math.BigDecimal",
    lines: "com.shop.Sample$Line[]",
    line: "com.shop.Sample$Line",
    states: "java.util.LinkedHashSet",
    decimals: "java.math.BigDecimal[]",
  },
})
const line = (price: number) => ({ name: 'phở "bò" \u2028', quantity: 2, price })
const sample = (price: number, exact: string, createdAt: string) => ({
  id: "7",
  quantity: 9_007_199_254_740_991,
  total: price,
  exact,
  status: "PAID" as const,
  available: true,
  none: null,
  createdAt,
  tags: ["java.lang.String", "x"],
  lines: [line(price), line(0.5)],
  states: ["PAID" as const],
  line: line(price),
  decimals: [exact, "0"],
  extra: { a: "b" },
})
const samples = [
  sample(50_000, "12.50", "2024-05-01T10:00:00Z"),
  sample(12_345_678.25, "-0.001", "2024-05-01T10:00:00.123Z"),
  sample(1e-5, "12345678901234567890.123456789", "2024-05-01T10:00:00.123456Z"),
]

describe.runIf(needs("java"))("documents, to a JVM and back", () => {
  let jvm: Jvm
  beforeAll(() => {
    jvm = startJvm()
  })
  afterAll(() => jvm?.close())

  it("Java reads what was written, and would have written the same, to the byte", () => {
    const written = samples.map((one) => codec.encode(one))
    const echoed = jvm.echo("spring", written)
    expect(echoed.map(({ type }) => type)).toEqual(samples.map(() => "com.shop.Sample"))
    expect(echoed.map((one) => one.written)).toEqual(written)
  })

  it("what Java writes is read, also with every value typed and instants as seconds", () => {
    const echoed = jvm.echo(
      "everything",
      samples.map((one) => codec.encode(one)),
    )
    expect(echoed[0]!.written).toContain('["java.time.Instant",')
    expect(echoed[0]!.written).toContain('["com.shop.Sample$Status","PAID"]')
    expect(echoed.map(({ written }) => codec.decode(written))).toEqual(samples)
  })
})
