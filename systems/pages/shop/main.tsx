import { start } from "../shell/start.tsx"
import { ShopPage } from "./shop-page.tsx"

start(ShopPage)
