/* What a project's push service needs. It goes in, and is never shown again (MSG-32). */

import type { MessagingContext } from "../context.ts"

const CREDENTIALS = ["googleServerKey", "googleProjectNumber", "apnsCertificate"] as const
type PushCredentials = { readonly [C in (typeof CREDENTIALS)[number]]?: string | undefined }

const MASK = "********"

export function pushCredentials({ db }: MessagingContext) {
  /** Which of them there are. */
  const masked = async (project: string): Promise<PushCredentials> => {
    const found = await db.$multi((db) => CREDENTIALS.map((name) => db.projects({ project })[name]().get()))
    return Object.fromEntries(CREDENTIALS.flatMap((name, i) => (found[i] === undefined ? [] : [[name, MASK]])))
  }

  return {
    masked,

    async put(project: string, given: PushCredentials): Promise<PushCredentials> {
      await db.$multi((db) => {
        const of = db.projects({ project })
        return CREDENTIALS.flatMap((name) => (given[name] === undefined ? [] : [of[name]().set(given[name])]))
      })
      return masked(project)
    },

    async remove(project: string): Promise<void> {
      await db.$multi((db) => CREDENTIALS.map((name) => db.projects({ project })[name]().delete()))
    },
  }
}

export type PushCredentialsService = ReturnType<typeof pushCredentials>
