import { expect, it } from "vitest"
import { bytesText, counted, countText, secondsText } from "./quantity.ts"

it.each([
  [bytesText(0), "0 B"],
  [bytesText(1023), "1023 B"],
  [bytesText(1536), "1.5 kB"],
  [bytesText(200 * 1024), "200 kB"],
  [bytesText(1024 ** 2 - 1), "1.0 MB"],
  [bytesText(3 * 1024 ** 5), "3072 TB"],
  [countText(1_234_567.4), "1,234,567"],
  [counted(1, "key"), "1 key"],
  [counted(0, "key"), "0 keys"],
  [counted(1000, "key"), "1,000 keys"],
  [secondsText(0), "0 s"],
  [secondsText(59.9), "59 s"],
  [secondsText(3600), "1 h"],
  [secondsText(93_784), "1 d 2 h"],
  [secondsText(86_460), "1 d 1 min"],
])("%s is %s", (text, expected) => {
  expect(text).toBe(expected)
})
