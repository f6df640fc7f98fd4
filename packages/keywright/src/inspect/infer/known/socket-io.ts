import type { KnownSoftware } from "./known-software.ts"

export const socketIo: KnownSoftware = {
  name: "Socket.IO",
  about: "Socket.IO: messages between its servers",
  keys: ["socket.io stream", "sio:session:{session!} string"],
  least: 1,
}
