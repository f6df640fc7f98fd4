import { day, month, type Day, type Month } from "keywright"
import * as z from "zod"
import { fieldOf, takes } from "../../platform/http/fields.ts"
import * as ids from "../ids.ts"

export const Username = fieldOf(ids.username)
export const Database = fieldOf(ids.databaseName)
export const Table = fieldOf(ids.table)
export const Visualization = fieldOf(ids.visualization)
export const Token = fieldOf(ids.oauthToken)
export const UserId = z.int().min(1)
export const UserIdInPath = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, { error: "not a valid user id" })
  .transform(Number)
  .pipe(UserId)
  .meta({ type: "integer", minimum: 1 })

/** Whatever an API key is made of, it goes into a URL and into PostgreSQL. */
export const MapKey = z.string().regex(/^[\x21-\x7e]{1,255}$/, { error: "has to be 1 to 255 visible characters" })
export const ApiKey = z.string().max(1024).optional()

/** Seconds: no query runs for thirty years. */
export const Seconds = z.number().min(0).max(1_000_000_000)
export const Statements = z.string()

const isText = (text: string) => text.isWellFormed() && !text.includes("\0")
const Column = z
  .string()
  .max(255)
  .refine((text) => isText(text) && text.trim() !== "" && !text.includes(","), {
    error: "has to be a column without commas",
  })
/** As it is stored: columns with commas between. */
export const Infowindow = z.union([
  z
    .string()
    .max(65_536)
    .refine(isText, { error: "contains invalid characters" })
    .refine(ids.isColumnList, { error: "has to have a column between commas" }),
  z
    .array(Column)
    .max(1600)
    .transform((columns) => columns.join(", ")),
])
export const GeometryType = z.enum(ids.GEOMETRIES)
/** 0 or "private", 1 or "public". */
export const Privacy = z
  .union([z.literal(0), z.literal(1), z.literal("private"), z.literal("public")])
  .transform((given) => given === 1 || given === "public")

export const DayInPath = z
  .custom<Day>((text) => typeof text === "string" && takes(day, text as Day), { error: "not a day such as 2011-10-03" })
  .meta({ type: "string", format: "date" })
export const MonthInQuery = z
  .custom<Month>((text) => typeof text === "string" && takes(month, text as Month), {
    error: "not a month such as 2011-10",
  })
  .meta({ type: "string", pattern: "^\\d{4}-\\d{2}$" })
/** `20111003` → `2011-10-03` */
export const CompactDay = z
  .string()
  .regex(/^\d{8}$/, { error: "not a day such as 20111003" })
  .transform((text) => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}` as Day)
  .refine((text) => takes(day, text), { error: "not a day such as 20111003" })
