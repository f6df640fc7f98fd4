import { connect } from "keywright"
import { links } from "./schema.ts"

const db = await connect(links) // REDIS_URL if it is set, otherwise a Valkey inside this process
console.log(`connected to ${db.$label}`)

const link = await db.link.create({ slug: `kw-${Date.now()}`, url: "https://example.com/keywright", owner: "ann" })
await db.clicks({ slug: link.slug }).increment()

const found = await db.link.find("slug", { slug: link.slug })
console.log(`${found?.slug} leads to ${found?.url}, followed ${await db.clicks({ slug: link.slug }).get()} time`)

await db.$close()
