import { spawn } from "node:child_process"

/** Opens an address in the person's browser; where there is none, nothing happens: the address was printed. */
export function openPage(url: string): void {
  const [command, ...args] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["explorer.exe"] : ["xdg-open"]
  const child = spawn(command!, [...args, url], { stdio: "ignore", detached: true })
  child.on("error", () => undefined)
  child.unref()
}
