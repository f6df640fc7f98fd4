/* A real JVM with real Jackson, for tests of what Java programs store. Ask needs("java") first. */

import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const JARS = ["databind", "core", "annotations"].map((part) => `/usr/share/java/jackson-${part}.jar`).join(":")

export interface Jvm {
  /** Reads documents as Spring does, and writes the objects again: what they were, and as they were written. */
  echo(typing: "spring" | "everything", documents: readonly string[]): { type: string; written: string }[]
  close(): void
}

export function startJvm(): Jvm {
  const folder = mkdtempSync(join(tmpdir(), "keywright-jvm-"))
  const sources = ["Echo", "Sample", "Models"].map((name) =>
    fileURLToPath(new URL(`java/${name}.java`, import.meta.url)),
  )
  execFileSync("javac", ["-cp", JARS, "-d", folder, ...sources], { stdio: ["ignore", "ignore", "pipe"] })
  return {
    echo(typing, documents) {
      const input = documents.map((document) => `${document}\n`).join("")
      const output = execFileSync("java", ["-cp", `${JARS}:${folder}`, "Echo", typing], { input, encoding: "utf8" })
      return output
        .trimEnd()
        .split("\n")
        .map((line) => {
          const [type = "", written = ""] = line.split("\t")
          return { type, written }
        })
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
