import type { KnownSoftware } from "./known-software.ts"

export const nohm: KnownSoftware = {
  name: "nohm",
  about: "nohm: records and their indexes",
  keys: [
    "*:hash:{model}:{id} hash",
    "*:idsets:{model} set",
    "*:ids:{model} string",
    "*:uniques:{model}:{property}:{value…} string",
    "*:index:{model}:{property}:{value…} set",
    "*:scoredindex:{model}:{property} zset",
    "*:relations:{model}:{relation}:{other}:{id} set",
    "*:relationKeys:{model}:{id} set",
    "*:meta:version:{model} string",
    "*:meta:properties:{model} string",
    "*:meta:idGenerator:{model} string",
  ],
  least: 2,
  signs: ["*:meta:version:{model} string", "*:meta:properties:{model} string", "*:idsets:{model} set"],
}
