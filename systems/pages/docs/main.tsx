/* The API explorer: Swagger UI on the server's own OpenAPI document. In a demonstration it
 * logs in by the systems' own routes, so that every call can be tried at once. */

import { effect } from "@preact/signals"
import { followTheme, theme } from "studio/state/theme.ts"
import { demoCredentials } from "./demo-credentials.ts"

interface SwaggerUi {
  preauthorizeApiKey(scheme: string, value: string): void
}
declare const SwaggerUIBundle: (options: object) => SwaggerUi

followTheme()
effect(() => void document.documentElement.classList.toggle("dark-mode", theme.value === "dark"))
addEventListener("DOMContentLoaded", () => {
  const place = document.createElement("main")
  document.body.replaceChildren(backLink(), place)
  const ui = SwaggerUIBundle({
    domNode: place,
    url: "/openapi.json",
    deepLinking: true,
    docExpansion: "none",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    validatorUrl: null,
    onComplete: () => void authorize(ui),
  })
})

async function authorize(ui: SwaggerUi): Promise<void> {
  for (const [scheme, value] of Object.entries(await demoCredentials())) ui.preauthorizeApiKey(scheme, value)
}

function backLink(): HTMLElement {
  const header = document.createElement("header")
  header.className = "top"
  const link = Object.assign(document.createElement("a"), { href: "/", textContent: "← Keywright" })
  link.className = "brand"
  header.append(link)
  return header
}
