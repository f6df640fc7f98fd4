import * as z from "zod"
import { badRequest } from "../../platform/http/problem.ts"
import { route } from "../../platform/http/route.ts"
import type { Pages } from "../services/pages.ts"
import { Item } from "./fields.ts"

export const pageRoutes = (pages: Pages) => [
  route("GET /pages", {
    summary: "The page of an item (`?item=`); any further parameter belongs to the page, and `_` makes it dynamic.",
    query: "any",
    named: { item: Item.optional(), _: z.string().optional() },
    answer: "html",
    withoutRedis: true,
    async handle({ http }) {
      if (!URL.canParse(http.req.url)) throw badRequest("invalid_url", "the Host header is not valid")
      const url = new URL(http.req.url)
      url.pathname = "/pages"
      const items = url.searchParams.getAll("item")
      if (items.some((item) => !Item.safeParse(item).success) || items.length > 1)
        throw badRequest("invalid_input", "query.item: not a valid item id")
      const { html, cache, isDegraded, age } = await pages.get(url)
      http.env.outgoing.setHeader("X-Cache", cache)
      if (age !== undefined) http.env.outgoing.setHeader("Age", String(age))
      if (isDegraded) http.env.outgoing.setHeader("X-Degraded", "redis")
      return http.html(html)
    },
  }),
]
