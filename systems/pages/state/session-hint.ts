/* Whether this browser has logged in here. The session itself is a cookie that no script
 * can read: without a hint every first visit would ask for a session that is not there. */

export interface SessionHint {
  isSet(): boolean
  set(): void
  clear(): void
}

export function sessionHint(system: string): SessionHint {
  const name = `keywright-${system}-session`
  let isSetHere = false
  const trying = <T>(work: () => T, otherwise: T): T => {
    try {
      return work()
    } catch {
      return otherwise // A browser that keeps nothing.
    }
  }
  return {
    isSet: () => isSetHere || trying(() => localStorage.getItem(name) !== null, false),
    set() {
      isSetHere = true
      trying(() => localStorage.setItem(name, "1"), undefined)
    },
    clear() {
      isSetHere = false
      trying(() => localStorage.removeItem(name), undefined)
    },
  }
}
