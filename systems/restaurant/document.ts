/* What the restaurant's page quotes of its document, which is in Vietnamese, and of the
 * requirements that it became. */

import type { Quote, SystemDocument } from "../platform/pages/document.ts"
import { ENTITIES } from "./schema.ts"

const ALL_IDS: Quote = ["RST-K1", "Set chứa tất cả IDs của entity", "A set of all ids of the entity"]
const COUNTER: Quote = ["RST-K2", "Counter để generate ID (INCR)", "A counter that ids come from (INCR)"]
const shared = Object.fromEntries(
  ENTITIES.flatMap((name) => [
    [`${name}#all`, ALL_IDS],
    [`${name}#counter`, COUNTER],
  ]),
)

export const document: SystemDocument = {
  language: "vi",
  keys: {
    ...shared,
    user: ["RST-E1", "Thông tin user", "What is known of a user"],
    "user#email": ["RST-K3", "Index để tìm nhanh theo field", "An index to find by a field quickly"],
    role: ["RST-E2", "Vai trò người dùng", "A role of users"],
    "role#name": ["RST-K4", "Index để tìm nhanh theo field", "An index to find by a field quickly"],
    rolePermissions: ["RST-K5", "Set chứa permissionIds của role", "The permissions of a role"],
    permission: ["RST-E3", "Quyền truy cập API", "A right to call the API"],
    category: ["RST-E4", "Danh mục món ăn", "A category of dishes"],
    dish: ["RST-E5", "Món ăn", "A dish"],
    "dish#category": ["RST-K6", "Set chứa dishIds của category", "The dishes of a category"],
    "dish#category~1": ["RST-K6", "Set chứa dishIds của category", "The dishes of a category"],
    cart: ["RST-E6", "Giỏ hàng", "A cart"],
    "cart#user": ["RST-K7", "Tìm cartId theo userId (String value)", "Finds the cart of a user"],
    "cart#user~1": ["RST-K7", "Tìm cartId theo userId (String value)", "Finds the cart of a user"],
    cartDetail: ["RST-E7", "Chi tiết món trong giỏ hàng", "A dish in a cart"],
    "cartDetail#cart": ["RST-K8", "Set chứa cartDetailIds của cart", "What is in a cart"],
    "cartDetail#cart~1": ["RST-K8", "Set chứa cartDetailIds của cart", "What is in a cart"],
    order: ["RST-E8", "Đơn hàng", "An order"],
    "order#user": ["RST-K9", "Set chứa orderIds của user", "The orders of a user"],
    "order#user~1": ["RST-K9", "Set chứa orderIds của user", "The orders of a user"],
    orderDetail: ["RST-E9", "Chi tiết món trong đơn hàng", "A dish of an order"],
    "orderDetail#order": ["RST-K10", "Set chứa orderDetailIds của order", "What was ordered"],
    "orderDetail#order~1": ["RST-K10", "Set chứa orderDetailIds của order", "What was ordered"],
    paymentRef: ["RST-K11", "Tìm orderId theo paymentRef", "Finds the order of a payment"],
    cartCache: ["RST-K12", "Cache (nếu có)", "A cache, where there is one"],
  },
  routes: {
    "POST /login": [
      "RST-9",
      "A login finds the user by the index of e-mails, and keeps a refresh token in the record.",
    ],
    "POST /register": ["RST-1", "One step: the e-mail is free, an id is taken, record, list and index are written."],
    "GET /api/dishes": ["RST-5", "A list is one read of the ids and one of the records, never one for each."],
    "GET /cart": [
      "RST-20",
      "The cart comes from `cache:cart:{userId}` or is built, and kept only if it has not changed since.",
    ],
    "POST /cart/add-dish": [
      "RST-17",
      "The cart is found or made, the dish becomes a line of it, and both indexes say so.",
    ],
    "PUT /cart/update-dish": ["RST-18", "A line has a new quantity and a new total, at the price that it has."],
    "DELETE /cart/delete-dish/{id}": ["RST-19", "A line goes with its place in three sets."],
    "POST /cart/checkout": [
      "RST-22",
      "One step: the order and its dishes are written, stock goes down, and nothing is left of the cart.",
    ],
    "PUT /api/orders/{id}/status": [
      "RST-33",
      "PENDING, CONFIRMED, DELIVERING, DELIVERED: in this order, and no other.",
    ],
    "POST /payment/cash/confirm/{id}": ["RST-33", "An order in cash is paid when somebody says so."],
    "POST /payment/vnpay/order/{id}": [
      "RST-31",
      "Another attempt has another reference; the earlier ones still find their order.",
    ],
    "GET /payment/vnpay/ipn": ["RST-28", "Signature, order, amount, state: in this order, and once."],
    "GET /api/orders/{id}": ["RST-32", "An order is read with its dishes, whose names are looked up now."],
  },
}
