/* What bodies, paths and queries of the restaurant hold, and what it answers. */

import * as z from "zod"
import { fieldOf, wholeInQuery } from "../../platform/http/fields.ts"
import { isAddress, oneSpelling } from "../email.ts"
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
