import DefaultTheme from "vitepress/theme"
// oxlint-disable-next-line import/no-unassigned-import -- styles have no value
import "./custom.css"

export default DefaultTheme
