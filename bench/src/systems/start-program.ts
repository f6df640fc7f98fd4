import { spawn } from "node:child_process"

export interface Program {
  readonly url: string
  stop(): Promise<void>
}

/** Runs a program that prints `ready <url>`. */
export function startProgram(file: string, args: readonly string[]): Promise<Program> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  let [said, wrong] = ["", ""]
  child.stderr.on("data", (text: Buffer) => (wrong = (wrong + text.toString()).slice(-2000)))
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (text: Buffer) => {
      said += text.toString()
      const url = /^ready (\S+)\n/m.exec(said)?.[1]
      if (url === undefined) return
      resolve({
        url,
        async stop() {
          child.kill("SIGTERM")
          await ended
        },
      })
    })
    void ended.then(() => reject(new Error(`${file} ended:\n${wrong}`)))
  })
}
