/* What the messenger's document forbids. */

import { rows, texts, type Violations } from "./violation.cases.ts"

const X = "P:456:S:789"

export const messaging: Violations = async (ask) => {
  const members = texts(await ask("SMEMBERS", `${X}:Ch:general:Sub`)).sort()
  const [manager] = texts(await ask("SMEMBERS", `${X}:Ch:general:Man`)) as [string]
  const [owner] = texts(await ask("SMEMBERS", `${X}:Ch:general:Own`)) as [string]
  const [member] = members.filter((id) => id !== manager && id !== owner) as [string]
  const tokens = texts(await ask("HVALS", "TokensKeys")).sort()
  const access = tokens.filter((key) => key.startsWith(`${X}:AccTok:`))
  const [refresh, later] = tokens.filter((key) => key.startsWith(`${X}:RefTok:`)) as [string, string]
  const [first, second, third, fourth, fifth] = access as [string, string, string, string, string]
  const tokenOf = (key: string) => key.slice(`${X}:AccTok:`.length)
  const online = texts(await ask("SMEMBERS", `${X}:OnSub`)).sort()
  const [s1, s2] = online as [string, string]
  const deadline = String(await ask("PEXPIRETIME", `${X}:Ch:general`))
  const [subscriber, other] = texts(await ask("KEYS", `${X}:Sub:*:Ch`)).sort() as [string, string]
  const until = (key: string) => `PEXPIREAT ${key} ${deadline}`
  const userOf = (key: string) => key.split(":").at(-2)!
  const familyOf = (key: string) => key.replace(/:Ch$/, "")
  const untilOther = `PEXPIREAT ${familyOf(other)}:JR ${String(await ask("PEXPIRETIME", other))}`
  const none = "x".repeat(40)
  return rows([
    ["a token's project is the one in its key", `HSET ${first} project 7`, `COMPARE.BROKEN ${X}:AccTok:…`, "always"],
    [
      "the actual key of the user's token",
      `HSET TokensKeys ${tokenOf(second)} ${third}`,
      "COMPARE.BROKEN TokensKeys",
      "broken",
    ],
    [
      "a key of TokensKeys exists",
      `HSET TokensKeys ${none} ${X}:AccTok:${none}`,
      "KEYOF.DANGLING TokensKeys",
      "always",
    ],
    ["service is push, roc or sms", `HSET ${fourth} service fax`, `VALUE.UNDECODABLE ${X}:AccTok:…`, "never"],
    ["a token names its user", `HDEL ${fifth} user`, `VALUE.FIELD_MISSING ${X}:AccTok:…`, "never"],
    [
      "banned subscribers are not subscribed",
      [`DEL ${X}:C:${member}`, `SADD ${X}:Ch:general:BanSub ${member}`],
      [`EXCLUDES.BOTH ${X}:Ch:general:Sub`, `TTL.MISSING ${X}:Ch:general:BanSub`],
      "always",
    ],
    ["a status expires in 600 seconds", `PERSIST ${X}:St:${s1}`, `TTL.MISSING ${X}:St:${s1}`, "always"],
    ["no later than in 600 seconds", `PEXPIRE ${X}:St:${s2} 9000000`, `TTL.TOO_LONG ${X}:St:${s2}`, "always"],
    ["online subscribers have a status", `SADD ${X}:OnSub ghost`, `SAME.EXTRA ${X}:OnSub`, "always"],
    [
      "who has a status is online",
      [`HSET ${X}:St:quiet behavioral_status idle`, `PEXPIRE ${X}:St:quiet 600000`],
      `SAME.MISSING ${X}:OnSub`,
      "always",
    ],
    ["a list of u or c prefixed ids", `RPUSH ${X}:C:lonely 7`, `VALUE.UNDECODABLE ${X}:C:lonely`, "broken"],
    [
      "a contact list never expires",
      [`RPUSH ${X}:C:fleeting u_1`, `PEXPIRE ${X}:C:fleeting 1000000`],
      `TTL.UNEXPECTED ${X}:C:fleeting`,
      "always",
    ],
    [
      "channels live and die as a whole",
      [`SADD ${X}:Ch:general:JR i1`, `PEXPIREAT ${X}:Ch:general:JR ${String(Number(deadline) - 60_000)}`],
      `TTL.FAMILY ${X}:Ch:general:JR`,
      "always",
    ],
    [
      "a channel is kept for three hours",
      [`HSET ${X}:Ch:kept name k description x type public`, `PEXPIRE ${X}:Ch:kept 90000000`],
      `TTL.TOO_LONG ${X}:Ch:kept`,
      "always",
    ],
    [
      "and not for ever",
      `HSET ${X}:Ch:lasting name k description x type public`,
      `TTL.MISSING ${X}:Ch:lasting`,
      "always",
    ],
    [
      "sets of a subscriber are kept for three hours",
      [`SADD ${X}:Sub:kept:BanSub s1`, `PEXPIRE ${X}:Sub:kept:BanSub 90000000`],
      `TTL.TOO_LONG ${X}:Sub:kept:BanSub`,
      "always",
    ],
    [
      "owners are a set",
      [
        `HSET ${X}:Ch:listed name k description x type public`,
        `PEXPIREAT ${X}:Ch:listed ${deadline}`,
        `RPUSH ${X}:Ch:listed:Own s1`,
        `PEXPIREAT ${X}:Ch:listed:Own ${deadline}`,
      ],
      `KEY.TYPE ${X}:Ch:listed:Own`,
      "broken",
    ],
    [
      "managers are ids of subscribers",
      [
        `HSET ${X}:Ch:spaced name k description x type public`,
        `PEXPIREAT ${X}:Ch:spaced ${deadline}`,
        `SADD ${X}:Ch:spaced:Man 's 1'`,
        `PEXPIREAT ${X}:Ch:spaced:Man ${deadline}`,
      ],
      `VALUE.UNDECODABLE ${X}:Ch:spaced:Man`,
      "broken",
    ],
    ["the type of a channel", `HSET ${X}:Ch:general type secret`, `VALUE.UNDECODABLE ${X}:Ch:general`, "never"],
    [
      "short names on the wire",
      "SADD Channel:123456:Subscribers s1",
      "KEY.UNKNOWN Channel:123456:Subscribers",
      "unknown",
    ],
    ["keys are prefixed", "HSET St:123456789 behavioral_status idle", "KEY.UNKNOWN St:123456789", "unknown"],
    [
      "a channel that a subscriber banned is not theirs",
      [`DEL ${X}:C:${userOf(subscriber)}`, `SADD ${familyOf(subscriber)}:BanCh general`],
      [`EXCLUDES.BOTH ${subscriber}`, `TTL.MISSING ${familyOf(subscriber)}:BanCh`],
      "always",
    ],
    [
      "contacts are other users",
      `SADD ${familyOf(subscriber)}:C ${familyOf(subscriber).split(":").at(-1)}`,
      `COMPARE.BROKEN ${familyOf(subscriber)}:C`,
      "broken",
    ],
    [
      "a request to join is not an invitation",
      [`SADD ${X}:Ch:general:Inv i7`, until(`${X}:Ch:general:Inv`), `SADD ${X}:Ch:general:JR i7`],
      `EXCLUDES.BOTH ${X}:Ch:general:JR`,
      "always",
    ],
    [
      "what is in a subscriber's request is an id",
      [`SADD ${familyOf(other)}:JR 'i 8'`, untilOther],
      `VALUE.UNDECODABLE ${familyOf(other)}:JR`,
      "broken",
    ],
    ["an access token is valid for 3 hours", `PERSIST ${access[5]}`, `TTL.MISSING ${X}:AccTok:…`, "always"],
    ["and no longer", `PEXPIRE ${access[6]} 90000000`, `TTL.TOO_LONG ${X}:AccTok:…`, "always"],
    [
      "an access token is in the map",
      `HDEL TokensKeys ${tokenOf(access[7]!)}`,
      `REFERS.ORPHAN ${X}:AccTok:…`,
      "orphans",
    ],
    [
      "a refresh token is in the map",
      `HDEL TokensKeys ${refresh.slice(`${X}:RefTok:`.length)}`,
      `REFERS.ORPHAN ${X}:RefTok:…`,
      "orphans",
    ],
    ["five fields", `HSET ${access[8]} scope all`, `VALUE.FIELD_UNKNOWN ${X}:AccTok:…`, "fields"],
    [
      "the key as it is, not its long name",
      `HSET TokensKeys ${"l".repeat(40)} Projects:456:Services:789:AccessTokens:${"l".repeat(40)}`,
      "VALUE.UNDECODABLE TokensKeys",
      "broken",
    ],
    ["a status is not JSON", `SET ${X}:St:texted {} EX 600`, `KEY.TYPE ${X}:St:texted`, "broken"],
    ["a project number", "SET P:456:PGPN abc", "VALUE.UNDECODABLE P:456:PGPN", "broken"],
    ["a certificate", "SET P:456:PAPC hello", "VALUE.UNDECODABLE P:456:PAPC", "broken"],
    [
      "the initial token expires",
      [
        `HSET ${X}:RefTok:${"r".repeat(43)} tenant 123 account 007 project 456 service push user u1`,
        `HSET TokensKeys ${"r".repeat(43)} ${X}:RefTok:${"r".repeat(43)}`,
      ],
      `REFRESH_TOKEN.FIRST ${X}:RefTok:…`,
      "never",
    ],
    ["a contact once", `RPUSH ${X}:C:twice u_1 c_1 u_1`, `CONTACTS.ODD ${X}:C:twice`, "never"],
    ["other users", `RPUSH ${X}:C:narcissus c_narcissus u_narcissus`, `CONTACTS.ODD ${X}:C:narcissus`, "never"],
    ["a list of contacts", `SADD ${X}:C:setter u_1`, `KEY.TYPE ${X}:C:setter`, "broken"],
    [
      "the initial token expires, later ones do not",
      `PEXPIRE ${later} 30000`,
      `REFRESH_TOKEN.LATER ${X}:RefTok:…`,
      "never",
      "alone",
    ],
    [
      "the sets are those of a channel",
      [`SADD ${X}:Ch:lost:Sub s1`, `PEXPIRE ${X}:Ch:lost:Sub 10000000`],
      `REFERS.ORPHAN ${X}:Ch:lost:Sub`,
      "orphans",
    ],
    [
      "the name of a channel",
      [`HSET ${X}:Ch:nameless name '' description x type public`, `PEXPIRE ${X}:Ch:nameless 10000000`],
      `CHANNEL.NAME ${X}:Ch:nameless`,
      "never",
    ],
    [
      "contacts and channels of a user, as a subscriber",
      [`RPUSH ${X}:C:${userOf(other)} u_stranger c_elsewhere`],
      [`CONTACTS.NOT_CACHED ${X}:C:${userOf(other)}`, `CONTACTS.NOT_CACHED ${X}:C:${userOf(other)}`],
      "never",
    ],
    [
      "contacts of a subscriber, as a user",
      `SADD ${familyOf(other)}:C somebody`,
      `CONTACTS.NOT_LISTED ${familyOf(other)}:C`,
      "never",
    ],
    [
      "channels of a subscriber, as a user",
      `SADD ${familyOf(other)}:Ch nowhere`,
      `CONTACTS.NOT_LISTED ${familyOf(other)}:Ch`,
      "never",
    ],
    [
      "who is banned may not write",
      [`RPUSH ${X}:C:outcast u_1 c_general`, `SADD ${X}:Ch:general:BanSub outcast`],
      `CONTACTS.BANNED ${X}:Ch:general:BanSub`,
      "never",
    ],
    [
      "nor where they banned a channel",
      [`RPUSH ${X}:C:loner c_gone`, `SADD ${X}:Sub:loner:BanCh gone`, `PEXPIRE ${X}:Sub:loner:BanCh 10000000`],
      `CONTACTS.BANNED ${X}:Sub:loner:BanCh`,
      "never",
    ],
    [
      "nor to somebody whom they banned",
      [`RPUSH ${X}:C:hermit u_pest`, `SADD ${X}:Sub:hermit:BanSub pest`, `PEXPIRE ${X}:Sub:hermit:BanSub 10000000`],
      `CONTACTS.BANNED ${X}:Sub:hermit:BanSub`,
      "never",
    ],
    [
      "absence means offline",
      [`HSET ${X}:St:away behavioral_status offline`, `PEXPIRE ${X}:St:away 600000`, `SADD ${X}:OnSub away`],
      `STATUS.OFFLINE ${X}:St:away`,
      "never",
    ],
  ])
}
