/* How a schema changed, commit by commit: its changes in the history of git, the newest first. */

import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { diffSchemas } from "../change/diff/diff.ts"
import { noRepository } from "../errors/diff.ts"
import type { SchemaChapter } from "../render/schema-changelog.ts"
import type { Invocation } from "./command.ts"
import { failureOf } from "./failure.ts"
import { loadConfig } from "./load-config.ts"
import { schemaSide } from "./schema-side.ts"

const run = promisify(execFile)
const most = 100

/** One chapter for each commit that touched the schema's files and changed what is stored. */
export async function schemaChangelog(call: Invocation): Promise<SchemaChapter[]> {
  const { file, sources } = await loadConfig(call)
  const files = sources.map((source) => source.file)
  const { stdout } = await run("git", ["log", `-${most}`, "--format=%H%x09%cs%x09%s", "--", ...files]).catch(() => {
    throw noRepository(process.cwd())
  })
  const commits = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t") as [string, string, string])
  const chapters: SchemaChapter[] = []
  for (const [i, [commit, day, subject]] of commits.entries()) {
    const head = { commit: commit.slice(0, 8), day, subject }
    const before = commits[i + 1]?.[0]
    if (before === undefined) {
      chapters.push({ ...head, changes: [], isFirst: true })
      continue
    }
    try {
      const [one, other] = [
        await schemaSide(call, `git:${before}:${file}`),
        await schemaSide(call, `git:${commit}:${file}`),
      ]
      const { changes } = diffSchemas(one.form, other.form)
      if (changes.length > 0) chapters.push({ ...head, changes })
    } catch (error) {
      chapters.push({ ...head, changes: [], problem: failureOf(error).message })
    }
  }
  return chapters
}
