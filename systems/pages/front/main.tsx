import { start } from "../shell/start.tsx"
import { FrontPage } from "./front-page.tsx"

start(FrontPage)
