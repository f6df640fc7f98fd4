/* What packed a value, by its bytes. */

import { deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { blobOf } from "./blob.ts"

const bytes = (hex: string): Buffer => Buffer.from(hex.replace(/ /g, ""), "hex")

describe("blobOf", () => {
  it.each<[what: string, value: string | Buffer]>([
    ["java", bytes("aced0005 7372 000e ff")],
    ["pickle", bytes("8004 95ff 00 2e")],
    ["pickle", "(dp0\nVid\np1\nI7\ns."],
    ["marshal", bytes("0408 6f3a ff")],
    ["php", 'a:1:{s:2:"id";i:7;}'],
    ["phpSession", 'user_id|i:7;cart|a:1:{i:0;s:3:"abc";}'],
    ["igbinary", bytes("00000002 1401 1102 6964 0607")],
    ["dotnet", bytes("0001000000ffffffff01")],
    ["messagePack", bytes("82 a26964 07 a46c697374 93 01 c0 c3")],
    ["messagePack", bytes("81 a166 cb 3ff8000000000000")],
    ["messagePack", bytes("de0001 a16e d90474657874")],
    ["messagePack", bytes("81 a162 c40200ff")],
    ["messagePack", bytes("81 a165 c7030501ff02")],
    ["bson", bytes("0c000000 10 6900 07000000 00")],
    ["protobuf", bytes("0807 1205 68656c6c6f 1a03 fffefd")],
    ["gzip", gzipSync("text")],
    ["zlib", deflateSync("text")],
    ["deflate", deflateRawSync("a longer text, a longer text")],
    ["snappy", bytes("ff060000734e61507059")],
    ["jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl"],
    ["html", "<!DOCTYPE html><p>text"],
    ["xml", '<?xml version="1.0"?><a/>'],
    ["hyperloglog", "HYLL"],
    ["binary", bytes("ff00ff00ff")],
    ["binary", bytes("82 a26964")],
  ])("%s", (what, value) => {
    const text = value.toString()
    expect(blobOf(typeof value !== "string" && Buffer.from(text).equals(value) ? text : value)).toBe(what)
  })

  it.each(["a text", "12", '{"a":1}', "a:b", "user|name", "<b>", "line\nline"])("nothing packed %s", (text) => {
    expect(blobOf(text)).toBeUndefined()
  })
})
