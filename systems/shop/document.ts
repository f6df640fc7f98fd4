/* What the shop's page quotes of its document, and of the requirements that it became. */

import type { SystemDocument } from "../platform/pages/document.ts"

export const document: SystemDocument = {
  keys: {
    "session.login": ["SHOP-K1", "HASH, hash with pairs `token: user`"],
    "session.recent": ["SHOP-K2", "ZSET, stores timestamp when the token was last seen"],
    "session.viewed": ["SHOP-K3", "ZSET, records which user(token) seen which item"],
    popular: ["SHOP-K4", "ZSET, records which item is the most popular"],
    "session.cart": [
      "SHOP-K5",
      "HASH, that maps an item ID to the quantity of that item that the customer would like to purchase.",
    ],
    "stock.row": ["SHOP-K6", "String, cached database row for an item to be sold online in JSON format"],
    "stock.delay": [
      "SHOP-K7",
      "ZSET, row ID for the members, the score is how many seconds to wait between cache updates",
    ],
    "stock.schedule": [
      "SHOP-K8",
      "ZSET, row ID from the db row as the member of the ZSET. Scores is timestamp (when the row should be copied to Redis next)",
    ],
    page: ["SHOP-K9", "String, cached html pages"],
  },
  routes: {
    "POST /login": [
      "SHOP-2",
      "A login makes an unguessable token, whose user and time go into `login:` and `recent:` together.",
    ],
    "DELETE /session": ["SHOP-9", "A logout removes the session with its views and its cart, in one step."],
    "GET /session": ["SHOP-1", "Whose token it is says one `HGET`, which creates nothing."],
    "POST /views": [
      "SHOP-3",
      "A view is one step: the session is seen now, the item goes to the front of the 25 newest, and gets more popular.",
    ],
    "GET /session/viewed": ["SHOP-6", "What was viewed last comes first, with its time."],
    "GET /popular": ["SHOP-6", "Scores are negative, so that the first of `viewed:` is the most popular."],
    "GET /cart": ["SHOP-8", "A cart is its items with whole quantities."],
    "DELETE /cart": ["SHOP-8", "An empty cart has no key."],
    "PUT /cart/items/{item}": ["SHOP-7", "A quantity is set, not added; 0 or less removes the item."],
    "DELETE /cart/items/{item}": ["SHOP-7", "Emptying the last item removes the key."],
    "GET /inventory/{id}": [
      "SHOP-15",
      "A row comes from Redis where it is cached, and else from the database, without caching it.",
    ],
    "PUT /rows/{id}/schedule": [
      "SHOP-10",
      "`delay:` and `schedule:` are set together: the row is copied from now on, at a fixed interval in seconds.",
    ],
    "DELETE /rows/{id}/schedule": [
      "SHOP-11",
      "After the next pass nothing is left of a row that is not scheduled any more.",
    ],
    "POST /jobs/rows/run": ["SHOP-12", "A due row is claimed, loaded, and stored only if it is still to be cached."],
    "GET /pages": [
      "SHOP-17",
      "The page of a popular item is kept for 300 seconds; of others, and of dynamic ones, nothing is stored.",
    ],
    "POST /jobs/rescale/run": ["SHOP-21", "The most popular are kept, and their views count half from now on."],
  },
}
