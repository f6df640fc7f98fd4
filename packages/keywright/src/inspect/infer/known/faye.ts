import type { KnownSoftware } from "./known-software.ts"

/** The id of a client is enough to receive its messages. */
export const faye: KnownSoftware = {
  name: "Faye",
  about: "Faye: clients, their channels and the messages that wait for them",
  keys: [
    "*/clients zset",
    "*/clients/{client!}/channels set",
    "*/clients/{client!}/messages list",
    "*/channels/{channel…} set",
  ],
  signs: ["*/clients zset", "*/clients/{client!}/channels set"],
}
