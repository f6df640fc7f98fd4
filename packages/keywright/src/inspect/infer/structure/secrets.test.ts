import { expect, it } from "vitest"
import { patternFrom, patternOfKeys } from "../mine/pattern.cases.ts"
import { textsOf } from "../values/values.cases.ts"
import { hasLongTokens, isSecretField, isSecretParam, isSecretText, isSecretValue } from "./secrets.ts"

it.each([
  ["$2b$10$abcdefghijklmnopqrstuv", true],
  ["-----BEGIN RSA PRIVATE KEY-----", true],
  ["eyJhbGciOiJI.eyJzdWIiOiIx.x", true],
  ["sk_live_abc", true],
  ["ghp_abc", true],
  ["plain text", false],
  ["postgres://app:pw@db/shop", true],
  ["https://host:443/a@b", false],
  ['{"id":1,"password":"x"}', true],
  ['[{\\"apiKey\\": \\"x\\"}]', true],
  ["user=ann&password=x", true],
  ["user=ann&tokenCount=3", false],
  ["skater", false],
])("%s is a secret: %s", (text, is) => {
  expect(isSecretText(text)).toBe(is)
})

it.each<[string, string[], boolean]>([
  ["password", ["x"], true],
  ["password2", ["x"], true],
  ["accesstoken", ["x"], true],
  ["DBPASSWORD", ["x"], true],
  ["privatekey", ["x"], true],
  ["jwt", ["x"], true],
  ["tokenizer", ["x"], false],
  ["monkey", ["x"], false],
  ["name", ["Ann", "Bob"], false],
  ["note", ["sk_live_abc", "sk_live_def"], true],
  ["note", ["sk_live_abc", "plain"], false],
  ["signKey", ["x8Kf02LmQ9zT7bVw3Y5aPq1"], true],
  ["sortKey", ["a word"], false],
])("the field %s with %j is secret: %s", (name, texts, is) => {
  expect(isSecretField(name, textsOf(texts))).toBe(is)
})

it.each([
  ["session:{uuid}", true],
  ["product:{uuid}", false],
  ["session:{int}", false],
])("the parameter of %s is secret: %s", (spelling, is) => {
  expect(isSecretParam(patternFrom(spelling), 0)).toBe(is)
})

const long = (n: number) => `xDrTSVx${n}GWgQ4QRF1bEvkCB7DbFNpVab${n}MLKj`
it.each<[string, (n: number) => string, boolean]>([
  ["long random texts, whatever is around them", long, true],
  ["shorter ones", (n) => long(n).slice(0, 21), false],
  ["digests", (n) => `${n}`.repeat(40), false],
  ["long names", (n) => `a-long-name-of-a-thing-with-number-${n}`, false],
])("a parameter of %s is secret", (_, text, is) => {
  const keys = [1, 2, 3].map((n) => [`thing:${text(n)}`, ["x y"]] as [string, string[]])
  expect(isSecretParam(patternOfKeys("thing:{token}", "string", keys), 0)).toBe(is)
})

it.each<[string, string[][], boolean]>([
  ["password:{int}", [["x y"]], true],
  ["title:{int}", [["x y"]], false],
  ["title:{int}", [["sk_live_abc"]], true],
])("the value of %s with %j is secret: %s", (spelling, values, is) => {
  expect(isSecretValue(patternFrom(spelling, "string", values))).toBe(is)
})

it.each<[string, string[], boolean]>([
  ["a token and a user", [`${long(1)}:user1`, `${long(2)}:user2`], true],
  ["of which one has none", [`${long(1)}:user1`, "user2"], false],
  ["a digest and a user", [`${"0a".repeat(20)}:user1`], false],
])("members of %s are secret", (_, texts, are) => {
  expect(hasLongTokens(textsOf(texts))).toBe(are)
})
