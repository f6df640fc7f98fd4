/* A text that the browser keeps: for this tab (`"session"`), or for all windows (`"local"`).
 * A browser that keeps nothing remembers it until the page is left. */

export interface Kept {
  get(): string | undefined
  set(text: string): void
  clear(): void
}

export function kept(name: string, where: "session" | "local"): Kept {
  const key = `keywright-${name}`
  let here: string | undefined
  const trying = <T>(work: (storage: Storage) => T): T | undefined => {
    try {
      return work(where === "session" ? sessionStorage : localStorage)
    } catch {
      return undefined
    }
  }
  return {
    get: () => trying((storage) => storage.getItem(key)) ?? here,
    set(text) {
      here = text
      trying((storage) => storage.setItem(key, text))
    },
    clear() {
      here = undefined
      trying((storage) => storage.removeItem(key))
    },
  }
}
