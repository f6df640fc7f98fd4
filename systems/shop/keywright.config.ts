import { shop } from "./schema.ts"

export default { keyspace: shop }
