import { carto } from "./schema.ts"

export default { keyspace: carto }
