import { jackson, json } from "keywright"
import type * as z from "zod"

/** How values are stored: plain, or as Jackson writes texts and objects of classes in a package (RST-C9). */
export interface StoredAs {
  readonly values?: "plain" | "jackson"
  readonly javaPackage?: string
}

/** The codec of a document, by the name of its class. That of Jackson's documents reads plain ones too. */
export const storedDocuments =
  ({ values = "plain", javaPackage = "com.restaurant.model" }: StoredAs) =>
  <R extends object, W>(schema: z.ZodType<R, W>, name: string) =>
    values === "plain" ? json(schema) : jackson(schema, { type: `${javaPackage}.${name}` })
