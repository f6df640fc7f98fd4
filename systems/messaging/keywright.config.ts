import { messaging } from "./schema.ts"

export default { keyspace: messaging }
