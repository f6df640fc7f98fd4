import { start } from "../shell/start.tsx"
import { RestaurantPage } from "./restaurant-page.tsx"

start(RestaurantPage)
