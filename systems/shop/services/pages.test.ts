import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { hashOf } from "./pages.ts"

const hash = (url: string) => hashOf(new URL(url))

describe("SHOP-C8: the name of a cached page", () => {
  it("is the same for one page however its URL is written, in every process", () => {
    const name = hash("http://shop.example/pages?item=a&b=2")
    expect(name).toBe(createHash("sha256").update("shop.example/pages?b=2&item=a").digest("hex"))
    expect(hash("http://SHOP.example:8080/pages?b=2&item=a#top")).toBe(name)
    expect(hash("http://shop.example/pages?item=%61&b=2")).toBe(name)
  })

  it("differs for another host, path, parameter, value, or order of values", () => {
    const urls = [
      "h/pages?a=1&a=2",
      "h/pages?a=2&a=1",
      "h/pages?a=1",
      "h/pages?a=1&b=",
      "h/page?a=1",
      "i/pages?a=1",
      "h/pages?a=1%262",
    ]
    expect(new Set(urls.map((url) => hash(`http://${url}`))).size).toBe(urls.length)
  })
})
