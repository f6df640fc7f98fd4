import { links } from "./src/schema.ts"

export default { keyspace: links }
