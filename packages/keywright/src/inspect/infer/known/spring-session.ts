import type { KnownSoftware } from "./known-software.ts"

export const springSession: KnownSoftware = {
  name: "Spring Session",
  about: "Spring Session",
  keys: [
    "*:sessions:{session!} hash",
    "*:sessions:expires:{session!} string",
    "*:expirations:{at} set",
    "*:index:FindByIndexNameSessionRepository.PRINCIPAL_NAME:{principal…} set",
    "*:index:org.springframework.session.FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME:{principal…} set",
  ],
  least: 2,
  signs: ["*:sessions:{session!} hash", "*:sessions:expires:{session!} string", "*:expirations:{at} set"],
}
