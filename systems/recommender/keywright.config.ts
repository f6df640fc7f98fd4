import { recommender } from "./schema.ts"

export default { keyspace: recommender }
