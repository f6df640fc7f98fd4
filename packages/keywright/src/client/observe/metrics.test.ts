import { channel } from "node:diagnostics_channel"
import { afterEach, describe, expect, it } from "vitest"
import { type Metrics, prometheus } from "./metrics.ts"
import { observed, observedCache, observedJob } from "./observe.ts"

let metrics: Metrics
afterEach(() => metrics.close())

const lines = async (start: string) => (await metrics.text()).split("\n").filter((line) => line.startsWith(start))

describe("metrics", () => {
  it("count calls by pattern, command and outcome, and how long they took", async () => {
    metrics = prometheus({ buckets: [1, 2] })
    channel("keywright:operation").publish({ pattern: "a:{b}", command: "GET", outcome: "ok", ms: 500 })
    channel("keywright:operation").publish({ pattern: "a:{b}", command: "GET", outcome: "ok", ms: 1500 })
    channel("keywright:operation").publish({ pattern: "a:{b}", command: "GET", outcome: "DRIVER.TIMEOUT", ms: 2500 })
    expect(await lines("keywright_operations_total")).toEqual([
      'keywright_operations_total{pattern="a:{b}",command="GET",outcome="ok"} 2',
      'keywright_operations_total{pattern="a:{b}",command="GET",outcome="DRIVER.TIMEOUT"} 1',
    ])
    expect((await lines("keywright_operation_seconds")).slice(0, 5)).toEqual([
      'keywright_operation_seconds_bucket{pattern="a:{b}",command="GET",outcome="ok",le="1"} 1',
      'keywright_operation_seconds_bucket{pattern="a:{b}",command="GET",outcome="ok",le="2"} 2',
      'keywright_operation_seconds_bucket{pattern="a:{b}",command="GET",outcome="ok",le="+Inf"} 2',
      'keywright_operation_seconds_sum{pattern="a:{b}",command="GET",outcome="ok"} 2',
      'keywright_operation_seconds_count{pattern="a:{b}",command="GET",outcome="ok"} 2',
    ])
    expect((await lines("keywright_operation_seconds_bucket")).at(-1)).toMatch(/le="\+Inf"} 1$/)
  })

  it("have a HELP and a TYPE each, and every line is one", async () => {
    metrics = prometheus()
    observed("x", ["GET", "secret-key"])?.()
    observedCache("x", "hit")
    observedJob({ job: "sweep", ms: 3, outcome: "ok" })
    metrics.gauge("app_things", "Things.\nMany.", () => 3)
    const text = await metrics.text()
    for (const line of text.trimEnd().split("\n")) {
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z]+="(\\.|[^"\\])*",?)+\})? [-+.\deInf]+)$/)
    }
    expect(text).toContain("# HELP app_things Things.\\nMany.\n# TYPE app_things gauge\napp_things 3\n")
    expect(text).toContain('keywright_cache_total{pattern="x",outcome="hit"} 1\n')
    expect(text).toContain('keywright_job_passes_total{job="sweep",outcome="ok"} 1\n')
    expect(text).not.toContain("secret-key")
    expect(text.endsWith("\n")).toBe(true)
    expect(metrics.contentType).toContain("version=0.0.4")
  })

  it("escape what labels say, so that no text forges a line", async () => {
    metrics = prometheus()
    const pages = metrics.counter("pages_total", "Pages.")
    pages.add({ kind: 'a"b\\c\nd' })
    pages.add({ kind: 'a"b\\c\nd' }, 2)
    expect(await lines("pages_total")).toEqual(['pages_total{kind="a\\"b\\\\c\\nd"} 3'])
  })

  it("do not grow without bound: what is too much is counted as other", async () => {
    metrics = prometheus({ maxSeries: 3 })
    for (let i = 0; i < 50; i++) observed(`p${i}`, ["GET"])?.()
    for (let i = 0; i < 5; i++) observed("p1", ["GET"])?.()
    expect(await lines("keywright_operations_total")).toEqual([
      'keywright_operations_total{pattern="p0",command="GET",outcome="ok"} 1',
      'keywright_operations_total{pattern="p1",command="GET",outcome="ok"} 6',
      'keywright_operations_total{pattern="p2",command="GET",outcome="ok"} 1',
      'keywright_operations_total{pattern="other",command="other",outcome="other"} 47',
    ])
  })

  it("read an application's gauges when they are asked for, and survive one that fails", async () => {
    metrics = prometheus()
    let sessions = 1
    metrics.gauge("sessions", "Sessions.", async () => sessions)
    metrics.gauge("due", "Due rows.", () => [
      { labels: { list: "a" }, value: 1 },
      { labels: { list: "b" }, value: Infinity },
    ])
    metrics.gauge("broken", "Fails.", () => Promise.reject(new Error("no server")))
    sessions = 7
    const text = await metrics.text()
    expect(text).toContain("\nsessions 7\n")
    expect(text).toContain('\ndue{list="a"} 1\ndue{list="b"} +Inf\n')
    expect(text).not.toContain("# TYPE broken")
    expect(text).toContain('keywright_gauge_failures_total{gauge="broken"} 1\n')
  })

  it("refuse names that are not valid, taken or the toolkit's", () => {
    metrics = prometheus()
    metrics.counter("mine", "")
    for (const name of ["a-b", "", "1a", "mine", "keywright_x"]) {
      expect(() => metrics.gauge(name, "", () => 0)).toThrow(expect.objectContaining({ code: "METRICS.NAME" }))
    }
  })

  it("cost nothing before they are asked for, and after they are closed", () => {
    metrics = prometheus()
    expect(observed("x", ["GET"])).toBeTypeOf("function")
    metrics.close()
    expect(observed("x", ["GET"])).toBeUndefined()
  })
})
