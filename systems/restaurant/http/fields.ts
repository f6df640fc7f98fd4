/* What bodies, paths and queries of the restaurant hold, and what it answers. */

import { domainToUnicode } from "node:url"
import * as z from "zod"
import { fieldOf, wholeInQuery } from "../../platform/http/fields.ts"
import * as schema from "../schema.ts"

export const UserId = fieldOf(schema.userId)
export const RoleId = fieldOf(schema.roleId)
export const PermissionId = fieldOf(schema.permissionId)
export const CategoryId = fieldOf(schema.categoryId)
export const DishId = fieldOf(schema.dishId)
export const CartDetailId = fieldOf(schema.cartDetailId)
export const OrderId = fieldOf(schema.orderId)

/** Without control characters: it is shown to people. */
const text = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\p{Cc}]*$/u, { error: "has control characters" })
export const Name = text(200).refine((name) => name.trim() !== "", { error: "is blank" })
export const Words = text(2000).nullable()
export const Short = text(500).nullable()

/** Nothing that is not seen: control, format and bidi characters, fillers, spaces, the blank of Braille. */
const SEEN = /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+$/u
/**
 * No quotes, which may be there or not, and no empty label: with a dot at its end a domain is the same. Of ASCII, a
 * domain has what names of hosts have: `%65` would be an e to some.
 */
const ADDRESS = /^[^@"]+@(?:[a-z0-9-]|\P{ASCII})+(?:\.(?:[a-z0-9-]|\P{ASCII})+)*$/u
const LATIN = /\p{Script=Latin}/u
/** What stands beside Latin letters somewhere in the world. Nearly every other script has letters that look like them. */
const BESIDE_LATIN =
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]*$/u
/**
 * Clicks, phonetic letters and small capitals, which are Latin and look like others; signs around a letter; marks on a
 * letter or a sign that nobody writes with them, or else there would be one character for both.
 */
const LOOK_ALIKE =
  /[\u01c0-\u01c3\u0250-\u02af\u1d00-\u1dbf\ua730\ua731\uab30-\uab6f\p{Me}]|[\p{Script=Latin}\p{Script=Common}]\p{M}/u

/** Two spellings are one address (RST-C19): trimmed, in small letters, and in one Unicode form. */
const oneForm = (given: string): string => dotted(given.trim().normalize("NFKC").toLowerCase().normalize("NFKC"))
/** An i without its dot, and one that has it twice, look like i. */
const dotted = (text: string): string =>
  text
    .replaceAll("\u0131", "i")
    .replaceAll("\u0237", "j")
    .replace(/([ij])\u0307+/g, "$1")
/** Of a domain also the full stop of Chinese and Japanese, and what `xn--` encodes. */
function oneSpelling(given: string): string {
  const [name = "", ...domains] = oneForm(given).split("@")
  const spelled = domains.map((domain) => {
    const dotted = domain.replaceAll("\u3002", ".")
    return /(?:^|\.)xn--/.test(dotted) ? oneForm(domainToUnicode(dotted)) : dotted
  })
  return [name, ...spelled].join("@")
}

const isAddress = (given: string): boolean =>
  SEEN.test(given) &&
  ADDRESS.test(given) &&
  !LOOK_ALIKE.test(given) &&
  !given.split(/[@.]/).some((part) => /^\p{M}/u.test(part) || (LATIN.test(part) && !BESIDE_LATIN.test(part)))

export const Email = z
  .string()
  .max(1024)
  .transform(oneSpelling)
  .pipe(fieldOf(schema.email).refine(isAddress, { error: "is not an e-mail address" }))
/** As long as the settings say. */
export const passwordOf = ({ passwordLength }: { readonly passwordLength: number }) =>
  z.string().min(passwordLength).max(1024)
export const Gender = z.enum(["MALE", "FEMALE", "OTHER"]).nullable()
export const RoleName = fieldOf(schema.roleName)
export const ApiPath = z
  .string()
  .max(200)
  .regex(/^\/[^\s\p{Cc}]*$/u, { error: "is not a path" })
export const Method = z.enum(["GET", "POST", "PUT", "DELETE"])

export const Price = z.number().min(0).max(1_000_000_000_000)
export const Stock = z.int().min(0).max(1_000_000_000).nullable()
export const Quantity = z.int().min(1).max(999)
/** An http address, or a path beside the application. */
export const ImageUrl = z
  .string()
  .max(2000)
  .refine(
    (url) =>
      (/^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url)) || /^(?!\/\/)[^\s\p{Cc}:\\<>"']+$/u.test(url),
    { error: "is neither an http address nor a relative path" },
  )
  .nullable()

export const PaymentMethod = z.enum(["CASH", "VNPAY"])
export const receiver = {
  receiverName: Short.optional(),
  receiverPhone: Short.optional(),
  receiverAddress: Short.optional(),
  receiverEmail: Short.optional(),
  paymentMethod: PaymentMethod.optional(),
}

export const paging = { page: wholeInQuery(1, 1, 1_000_000_000), pageSize: wholeInQuery(20, 1, 1000) }
export const flag = z.enum(["true", "false"]).transform((given) => given === "true")

/** Fields that the server keeps: sending them is not refused, and has no effect (RST-4). */
export const stamps = ["createdAt", "updatedAt", "createdBy", "updatedBy"] as const

export const ShownUser = schema.User.omit({ password: true, refreshToken: true })
export const ShownOrder = schema.Order.extend({ toRefund: z.boolean() })
export const ShownCart = z.object({
  id: z.string().nullable(),
  items: z.array(
    z.object({
      id: z.string(),
      dishId: z.string(),
      name: z.string().nullable(),
      imageUrl: z.string().nullable(),
      available: z.boolean(),
      quantity: z.int(),
      price: z.number(),
      total: z.number(),
    }),
  ),
  total: z.number(),
})
export const CheckedOut = z.object({
  orderId: z.string(),
  status: z.string(),
  paymentMethod: PaymentMethod,
  paymentStatus: z.string(),
  totalPrice: z.number(),
  paymentUrl: z.string().optional(),
})

export const pageOf = <T extends z.ZodType>(one: T) =>
  z.object({
    meta: z.object({ page: z.int(), pageSize: z.int(), pages: z.int(), total: z.int() }),
    result: z.array(one),
  })
