import { describe, expect, it } from "vitest"
import { kindsOf } from "./statements.ts"

describe("the kinds of statements", () => {
  it.each([
    ["select 1; INSERT into t values(';'); vacuum", { select: 1, insert: 1, other: 1 }],
    ["SeLeCt 1;select 2;\n\tSELECT 3;", { select: 3 }],
    ["update t set a = 1; delete from t", { update: 1, delete: 1 }],
    ["", {}],
    [" ; ;\n;", {}],
    ["-- only a comment", {}],
    ["/* select 1; */", {}],
    ["/* a */ -- b; \n select 1", { select: 1 }],
    ["/* outer /* inner; */ still; */ select 1", { select: 1 }],
    ["/* without an end; select 1", {}],
    ["((select 1) union (select 2))", { select: 1 }],
    ["( /* x */ ( delete from t", { delete: 1 }],
    ["with a as (select 1) select * from a", { other: 1 }],
    ["explain select 1", { other: 1 }],
    ["selection 1", { other: 1 }],
    ["select_it()", { other: 1 }],
    ["select(1)", { select: 1 }],
    ["select*from t", { select: 1 }],
    ["select/**/1", { select: 1 }],
    ["123", { other: 1 }],
    ["(", { other: 1 }],
    ["()", { other: 1 }],
    ["'select'; \"select\"", { other: 2 }],
    ["insert into t values ('it''s; ok')", { insert: 1 }],
    ["insert into t values ('without an end; select 1", { insert: 1 }],
    ['select "a;b" from t; select 2', { select: 2 }],
    ["select e'it\\'s; ok'; select 2", { select: 2 }],
    ["select 'c:\\'; select 2", { select: 2 }],
    ["select $$a;b$$; select $tag$ ; $$ ; $tag$; delete from t", { select: 2, delete: 1 }],
    ["select a$1;select $1;select 2", { select: 3 }],
    ["select 1 -- it's; fine\n; select 2", { select: 2 }],
    ["ſelect 1", { other: 1 }],
  ])("of %j are %j", (sql, kinds) => {
    expect(kindsOf(sql)).toEqual(kinds)
  })

  it("are found in the time that it takes to read a long text", () => {
    const long = "select ';' /* ; */ -- ;\n".repeat(20_000)
    expect(kindsOf(`${long};${";".repeat(100_000)}select 1`)).toEqual({ select: 2 })
    expect(kindsOf("/*".repeat(200_000))).toEqual({})
    expect(kindsOf("$a".repeat(200_000))).toEqual({ other: 1 })
    expect(kindsOf("'".repeat(200_001))).toEqual({ other: 1 })
  })
})
