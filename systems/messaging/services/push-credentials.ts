/* What a project's push service needs. It goes in, and is never shown again (MSG-32). */

import type { MessagingContext } from "../context.ts"

export interface PushCredentials {
  readonly googleServerKey?: string | undefined
  readonly googleProjectNumber?: string | undefined
  readonly apnsCertificate?: string | undefined
}

const MASK = "********"

export function pushCredentials({ db }: MessagingContext) {
  /** Which of them there are. */
  const masked = async (project: string): Promise<PushCredentials> => {
    const [server, number, certificate] = await db.$multi((db) => {
      const of = db.projects({ project })
      return [of.googleServerKey().get(), of.googleProjectNumber().get(), of.apnsCertificate().get()]
    })
    return {
      ...(server !== undefined && { googleServerKey: MASK }),
      ...(number !== undefined && { googleProjectNumber: MASK }),
      ...(certificate !== undefined && { apnsCertificate: MASK }),
    }
  }

  return {
    masked,

    async put(project: string, given: PushCredentials): Promise<PushCredentials> {
      const { googleServerKey, googleProjectNumber, apnsCertificate } = given
      await db.$multi((db) => {
        const of = db.projects({ project })
        return [
          ...(googleServerKey === undefined ? [] : [of.googleServerKey().set(googleServerKey)]),
          ...(googleProjectNumber === undefined ? [] : [of.googleProjectNumber().set(googleProjectNumber)]),
          ...(apnsCertificate === undefined ? [] : [of.apnsCertificate().set(apnsCertificate)]),
        ]
      })
      return masked(project)
    },

    async remove(project: string): Promise<void> {
      await db.$multi((db) => {
        const of = db.projects({ project })
        return [of.googleServerKey().delete(), of.googleProjectNumber().delete(), of.apnsCertificate().delete()]
      })
    },
  }
}

export type PushCredentialsService = ReturnType<typeof pushCredentials>
