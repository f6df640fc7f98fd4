/* However an address is spelled, it is one; and what is none is told apart from none. */

import type { IncomingMessage } from "node:http"
import { describe, expect, test } from "vitest"
import { addressFrom, clientFrom } from "./client-address.ts"

const asking = (forwarded: string | undefined, peer = "127.0.0.1") =>
  ({ socket: { remoteAddress: peer }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage
const behindProxy = (forwarded: string) => clientFrom(true)(asking(forwarded))

describe("behind a proxy", () => {
  test.each([
    [
      "8.8.8.8",
      ["8.8.8.8:1", "8.8.8.8:65535", "::ffff:8.8.8.8", "::FFFF:808:808", "[::ffff:808:808]:9", '"8.8.8.8:7"'],
    ],
    ["8.8.8.8", ["0:0:0:0:0:ffff:8.8.8.8", "0000:0::ffff:0808:0808", "1.1.1.1, 8.8.8.8", "x,8.8.8.8"]],
    ["2001:db8::1", ["2001:DB8::1", "2001:0db8:0:0::0001", "[2001:db8::1]", "[2001:db8::1]:443", '"[2001:db8::1]:1"']],
    ["2001:db8::1", ["2001:db8:0:0:0:0:0:1", "2001:db8::0.0.0.1", "2001:db8::1%eth0", "[2001:db8::1%1]"]],
    ["::1", ["0:0:0:0:0:0:0:1", "[::1]"]],
  ])("%s is the same in every spelling", (address, spellings) => {
    for (const one of spellings) expect([one, behindProxy(one)]).toEqual([one, address])
  })

  test("what is not an address is unknown, all of it alike", () => {
    for (const junk of [
      "unknown",
      "_hidden",
      "1.2.3",
      "1.2.3.4.5",
      "010.1.1.1",
      "1.2.3.256",
      "1.2.3.4:x",
      "[1.2.3.4",
      "::g",
      ":::",
      "a".repeat(9000),
      "[]",
      '"',
      "1.2.3.4 1.2.3.4",
      "%00",
      "::1%" + "x".repeat(200),
    ])
      // prettier-ignore
      expect([junk, behindProxy(junk)]).toEqual([junk, "unknown"])
  })

  test("an IPv6 network of 64 bits counts as one", () => {
    const network = (text: string) => addressFrom(true)(asking(text))
    expect(network("2001:DB8:1:2::1")).toBe("2001:db8:1:2")
    expect(network("[2001:db8:1:2:ffff:ffff:ffff:ffff]:443")).toBe("2001:db8:1:2")
    expect(network("2001:db8::")).toBe("2001:db8:0:0")
    expect(network("::2")).toBe("0:0:0:0")
    expect(network("::ffff:808:808")).toBe("8.8.8.8")
  })
})

test("without a proxy, and where it says nothing, it is the peer", () => {
  expect(clientFrom(false)(asking("8.8.8.8", "::ffff:10.0.0.7"))).toBe("10.0.0.7")
  expect(clientFrom(true)(asking(undefined, "10.0.0.7"))).toBe("10.0.0.7")
  expect(clientFrom(true)(asking(" ", "10.0.0.7"))).toBe("10.0.0.7")
})
