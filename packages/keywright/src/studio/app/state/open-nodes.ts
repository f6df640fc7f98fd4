/* Which parts of the tree are open. By default: systems when there are few rows to show,
 * groups always, entities and the toolkit's keys not. */

import { signal } from "@preact/signals"

const touched = signal<ReadonlyMap<string, boolean>>(new Map())

export const isOpen = (id: string, byDefault: boolean): boolean => touched.value.get(id) ?? byDefault

export function setOpen(id: string, open: boolean): void {
  touched.value = new Map(touched.value).set(id, open)
}
