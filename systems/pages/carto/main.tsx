import { start } from "../shell/start.tsx"
import { CartoPage } from "./carto-page.tsx"

start(CartoPage)
