import { start } from "../shell/start.tsx"
import { VnPayPage } from "./vnpay-page.tsx"

start(VnPayPage)
