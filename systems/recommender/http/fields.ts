import * as z from "zod"
import { MOST_CATEGORIES, MOST_DAYS } from "../schema.ts"

/** A whole number in a path or a query: digits only, within bounds. */
const wholeInUrl = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,15})$/, { error: "has to be a whole number" })
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: "integer", minimum: min, maximum: max })

export const IdInPath = wholeInUrl(1)
export const CategoryInPath = wholeInUrl(0, MOST_CATEGORIES - 1)
export const SlotInQuery = wholeInUrl(0)
export const SeedInQuery = z.string().min(1).max(100).optional()

/** Ids go into key names: a whole number above 0. */
export const Id = z.int().min(1)
export const Category = z
  .int()
  .min(0)
  .max(MOST_CATEGORIES - 1)
export const Duration = z.int().min(1).max(3650)
export const MaxPostAge = z.int().min(1).max(MOST_DAYS)
export const DistinctCategory = z.int().min(1).max(MOST_CATEGORIES)
export const Day = z.iso.date()

/** PostgreSQL cannot store NUL, and a lone surrogate is not a character. */
export const Text = z
  .string()
  .max(10_000)
  .refine((text) => !text.includes("\0") && text.isWellFormed(), { error: "not a text" })

const [EARLIEST, LATEST] = [Date.UTC(1970, 0, 1), Date.UTC(9000, 0, 1)]
/** An ISO instant; a date alone is its midnight in UTC. */
export const Instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .refine((text) => Date.parse(text) >= EARLIEST && Date.parse(text) < LATEST, { error: "has to be from 1970 to 8999" })
  .transform((text) => new Date(text))
  .meta({ type: "string", format: "date-time" })

export const Created = z.object({ id: Id })
