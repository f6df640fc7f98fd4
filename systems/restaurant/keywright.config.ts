import { restaurant } from "./schema.ts"

export default { keyspace: restaurant }
