import { start } from "../shell/start.tsx"
import { MessengerPage } from "./messenger-page.tsx"

start(MessengerPage)
