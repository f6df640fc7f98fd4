import { expect, test } from "vitest"
import { KeyView } from "./key-view.ts"

test("an element is known by its bytes alone, however it was given", () => {
  const view = new KeyView()
  const [latin1, utf8] = [new Uint8Array([0xe9]), new TextEncoder().encode("é")]
  view.put("é", "text")
  view.put(latin1, "bytes")
  view.put("\0é", "text after a zero")
  view.put("\ufffd", "what bytes become that are not text")
  expect(view.get(utf8)).toBe("text")
  expect(view.get("é")).toBe("text")
  expect(view.get(latin1)).toBe("bytes")
  expect(view.get("\0é")).toBe("text after a zero")
  view.put(utf8, "again")
  expect(view.get("é")).toBe("again")
  expect(view.elements.size).toBe(4)
})
