/* The session of this tab. It is kept in sessionStorage, which belongs to this origin and this
 * tab: a reload finds it again, and no server on another port of this machine is sent it. */

const KEPT = "keywright-session"

let session = kept()

export const hasSession = (): boolean => session !== undefined

/** The header that every call carries. */
export const authorization = (): Record<string, string> =>
  session === undefined ? {} : { authorization: `Bearer ${session}` }

export function keepSession(value: string): void {
  session = value
  try {
    sessionStorage.setItem(KEPT, value)
  } catch {
    // A browser that keeps nothing: the session lasts until the page is reloaded.
  }
}

function kept(): string | undefined {
  try {
    return sessionStorage.getItem(KEPT) ?? undefined
  } catch {
    return undefined
  }
}
