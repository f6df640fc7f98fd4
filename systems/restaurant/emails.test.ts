/* Addresses that look the same are the same, or are not addresses. */

import { domainToASCII } from "node:url"
import { expect, it } from "vitest"
import { Email } from "./http/fields.ts"
import { firstAdmin } from "./services/seed.ts"

const taken = "ann@example.com"

it.each([
  [" ANN@Example.com\t"],
  ["ａｎｎ@example.com"],
  ["ann＠example.com"],
  ["ann@example．com"],
  ["𝐚𝐧𝐧@example.com"],
  ["ⓐnn@example.com"],
  ["ann@example。com"],
  ["ann@example｡com"],
])("%j is another spelling of it", (given) => {
  expect(Email.parse(given)).toBe(taken)
})

it("is read in the same way where it is the first administrator's", () => {
  expect(firstAdmin({ adminEmail: " ＡＮＮ@Example。com", adminPassword: undefined }).email).toBe(taken)
})

it.each(["\ufe63", "\uff0d"])("takes the hyphen %j for a hyphen", (hyphen) => {
  expect(Email.parse(`ann@my${hyphen}shop.com`)).toBe("ann@my-shop.com")
})

it("takes a domain and its form in ASCII for the same", () => {
  expect(Email.parse("ann@xn--mnchen-3ya.example")).toBe(Email.parse("ann@MÜNCHEN.example"))
  for (const look of ["ma\u0131l", "mai\u0307l", "ma\u0237l"])
    expect(Email.parse(`ann@${domainToASCII(look)}.example`)).toBe(Email.parse(`ann@${look}.example`))
})

it.each(["mıke", "MİKE", "M\u0130ke", "mi\u0307ke", "mı\u0307ke"])("takes %s for mike", (name) => {
  expect(Email.parse(`${name}@example.com`)).toBe("mike@example.com")
})

it("takes é in both of its forms, and İ in one way only", () => {
  expect(Email.parse("jose\u0301@example.com")).toBe(Email.parse("jos\u00e9@example.com"))
  const once = Email.parse("\u0130@example.com")
  expect(Email.parse(once)).toBe(once)
})

it.each([
  ["a zero-width space", "ann\u200b@example.com"],
  ["a zero-width joiner", "a\u200dnn@example.com"],
  ["a byte order mark", "an\ufeffn@example.com"],
  ["a soft hyphen", "an\u00adn@example.com"],
  ["a right-to-left override", "\u202eann@example.com"],
  ["a bidi isolate", "ann\u2066@example.com\u2069"],
  ["a word joiner", "ann@exam\u2060ple.com"],
  ["a Hangul filler", "ann\u3164@example.com"],
  ["a variation selector", "ann\ufe0f@example.com"],
  ["a combining grapheme joiner", "an\u034fn@example.com"],
  ["a Mongolian vowel separator", "ann\u180e@example.com"],
  ["a tag character", "ann\u{e0041}@example.com"],
  ["a private character", "ann\ue000@example.com"],
  ["half a surrogate", "ann\ud800@example.com"],
  ["a space inside", "an n@example.com"],
  ["an ideographic space inside", "an\u3000n@example.com"],
  ["the blank of Braille", "ann\u2800@example.com"],
  ["a Cyrillic letter among Latin ones", "\u0430nn@example.com"],
  ["a Greek letter in its domain", "ann@ex\u03b1mple.com"],
  ["a phonetic letter", "\u0251nn@example.com"],
  ["a small capital, which looks like the letter", "\u1d04oco@example.com"],
  ["a Coptic letter among Latin ones", "c\u2c9fco@example.com"],
  ["a digit of another script among Latin letters", "c\u0e50co@example.com"],
  ["a circle around its last letter", "ann@example.com\u20dd"],
  ["a mark on nothing", "ann@\u0301example.com"],
  ["a click, which looks like l", "he\u01c0en@example.com"],
  ["a saltillo, which looks like an apostrophe", "o\ua78cneill@example.com"],
  ["a sinological dot", "ann\ua78f@example.com"],
  ["an exclamation mark that is a letter", "ann\u01c3@example.com"],
  ["a dot on l", "hel\u0307en@example.com"],
  ["a line through x", "ann@ex\u0335ample.com"],
  ["a line through x, in ASCII", `ann@${domainToASCII("ex\u0323ample.com")}`],
  ["a mark on a digit", "ann1\u0307@example.com"],
  ["a second dot below and above i", "mi\u0323\u0307ke@example.com"],
  ["an escape in its domain", "ann@%65xample.com"],
  ["a slash in its domain", "ann@example.com/x"],
  ["quotes", '"ann"@example.com'],
  ["a dot at its end", "ann@example.com."],
  ["an empty label", "ann@example..com"],
  ["a domain in ASCII that stands for nothing", "ann@xn--.com"],
  ["a control character", "ann\u0007@example.com"],
  ["a hyphen of typography in its domain", "ann@my\u2010shop.com"],
  ["a hyphen that does not break", "ann@my\u2011shop.com"],
  ["a hyphen before @", "ann\u2010lee@example.com"],
  ["a figure dash", "ann@my\u2012shop.com"],
  ["an en dash", "ann@my\u2013shop.com"],
  ["a hyphen bullet", "ann@my\u2043shop.com"],
  ["a minus sign", "ann@my\u2212shop.com"],
  ["a minus sign, in ASCII", `ann@${domainToASCII("my\u2212shop.com")}`],
  ["a minus sign that is a modifier", "ann@my\u02d7shop.com"],
  ["a kashida between Latin letters", "ann@my\u0640shop.com"],
  ["a long vowel between Latin letters", "ann@my\u30fcshop.com"],
  ["a narrow long vowel between Latin letters", "ann@my\uff70shop.com"],
  ["the Chinese one between Latin letters", "ann@my\u4e00shop.com"],
  ["the Korean eu between Latin letters", "ann@my\u3161shop.com"],
  ["an apostrophe that is a letter", "o\u02bcneill@example.com"],
  ["another quotation mark", "o\u2019neill@example.com"],
  ["a sign that looks like a dot", "ann\u00b7lee@example.com"],
  ["a sign that looks like a slash", "ann@example.com\u2215x"],
  ["no @", "ann.example.com"],
  ["two @", "ann@b@example.com"],
  ["two @, one of them wide", "ann@b＠example.com"],
  ["nothing before @", "@example.com"],
  ["too much", `${"a".repeat(250)}@example.com`],
])("with %s it is refused", (_, given) => {
  expect(Email.safeParse(given).success).toBe(false)
})

it.each([
  "nguyễn.ánh_1@hà-nội.example",
  "สมชายที่@example.com",
  "ann-山田@example.com",
  "иван@пример.example",
  "νίκος@example.com",
  "らーめん@ラーメン一番.example",
  "taro一郎@example.com",
  "anna@paral·lel.example",
  "ann-lee@my-shop.example",
  "jos\u00e9.o'neill+x@straße.example",
])("%s is an address", (given) => {
  expect(Email.safeParse(given).success).toBe(true)
})
