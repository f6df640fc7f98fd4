/* Lists, a page at a time: ids first, then the records of the page in one MGET. Records
 * that cannot be read are left out and logged: one of them does not hide the others. */

import { notFound } from "../../platform/http/problem.ts"
import { isCorrupt, tolerant } from "../../platform/tolerant.ts"
import type { RestaurantContext } from "../context.ts"

type Lenient = RestaurantContext["lenient"]

export interface ListPage {
  /** From 1 on. */
  readonly page: number
  readonly pageSize: number
}

export interface Page<T> {
  readonly meta: {
    readonly page: number
    readonly pageSize: number
    readonly pages: number
    readonly total: number
  }
  readonly result: T[]
}

interface Readable<T> {
  get(id: string): Promise<T | undefined>
  getMany(ids: readonly string[]): Promise<(T | undefined)[]>
}

/** Those that are there and can be read, in the order of the ids. */
export async function readAll<T>(
  entity: Readable<T>,
  ids: readonly string[],
  lenient: Lenient,
): Promise<(T | undefined)[]> {
  try {
    return await entity.getMany(ids)
  } catch (error) {
    // In a cluster each record is read by a command of its own, and one of another type is an error.
    if (!isCorrupt(error)) throw error
    return Promise.all(ids.map((id) => tolerant(lenient)(entity.get(id))))
  }
}

/** 404 unless it is there. */
export function there<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw notFound(`there is no such ${what}`)
  return found
}

/** One page of ids, read. Ids without a record are not counted as far as they are seen. */
export async function pageOfIds<T>(
  entity: Readable<T>,
  ids: readonly string[],
  { page, pageSize }: ListPage,
  lenient: Lenient,
): Promise<Page<T>> {
  const found = await readAll(entity, ids.slice((page - 1) * pageSize, page * pageSize), lenient)
  const result = found.filter((one) => one !== undefined)
  return { meta: metaOf(ids.length - (found.length - result.length), page, pageSize), result }
}

/** One page of what was read. */
export const pageOf = <T>(all: readonly T[], { page, pageSize }: ListPage): Page<T> => ({
  meta: metaOf(all.length, page, pageSize),
  result: all.slice((page - 1) * pageSize, page * pageSize),
})

const metaOf = (total: number, page: number, pageSize: number) => ({
  page,
  pageSize,
  pages: Math.ceil(total / pageSize),
  total,
})
