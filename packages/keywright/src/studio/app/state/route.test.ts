import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { href, parseRoute, views } from "./route.ts"

describe("the address of a view", () => {
  it("names the view, what it shows and how", () => {
    expect(href("browse", ["shop", "cart"], { "p.token": "a b" })).toBe("#/browse/shop/cart?p.token=a+b")
    expect(parseRoute("#/browse/shop/cart?p.token=a+b")).toEqual({
      view: "browse",
      path: ["shop", "cart"],
      query: { "p.token": "a b" },
    })
  })

  it("comes back as it was, whatever it contains", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1 })
    fc.assert(
      fc.property(fc.constantFrom(...views), fc.array(text), fc.dictionary(text, text), (view, path, query) => {
        expect(parseRoute(href(view, path, query))).toEqual({ view, path, query: { ...query } })
      }),
    )
  })

  it("is the overview when it is nothing that there is", () => {
    for (const hash of ["", "#", "#/", "#/nowhere/else", "#/%", "#browse%zz"]) {
      expect(parseRoute(hash).view).toBe("overview")
    }
  })
})
