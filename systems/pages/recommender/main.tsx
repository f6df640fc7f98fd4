import { start } from "../shell/start.tsx"
import { RecommenderPage } from "./recommender-page.tsx"

start(RecommenderPage)
