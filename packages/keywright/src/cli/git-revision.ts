/* A schema as it was at a revision of git: its folder and those of what it imports, copied to a
 * temporary folder beside the currently installed packages. Nothing is checked out, and no file of
 * the repository is touched. */

import { execFile, execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rm, symlink } from "node:fs/promises"
import { dirname, join, posix, relative, resolve } from "node:path"
import { promisify } from "node:util"
import { stateFolder } from "../change/state-folder.ts"
import { noRepository, noRevision, notInRevision } from "../errors/diff.ts"
import { readText } from "../files/ordinary-file.ts"
import { CONFIGS } from "./load-config.ts"
import { imported } from "./read-sources.ts"

const run = promisify(execFile)
const most = 400
/** In a larger folder, only files that a schema could use. */
const manyFiles = 5000
/** What an import may leave out. */
const ENDINGS = [".ts", ".js", "/index.ts", "/index.js"]
const readable = /\.(?:[cm]?[jt]sx?|json|lua)$/

export interface CheckedOut {
  readonly folder: string
  /** The path of the schema in it. */
  readonly path: string
  readonly label: string
}

/** `HEAD~1`, `main`, `v1.2`, with or without `:path`. */
export function isRevision(text: string): boolean {
  if (text.includes(":")) return true
  try {
    execFileSync("git", ["rev-parse", "--verify", "--quiet", "--end-of-options", `${text}^{commit}`], { stdio: "pipe" })
    return true
  } catch {
    return false
  }
}

export async function withRevision<T>(
  revision: string,
  path: string,
  work: (at: CheckedOut) => Promise<T>,
): Promise<T> {
  const root = await rootOf()
  const commit = await commitOf(root, revision)
  const file = await pathIn(root, commit, path, revision)
  const folder = await temporaryFolder(root)
  try {
    await copyOut(root, commit, file, folder)
    return await work({ folder, path: join(folder, file), label: `${revision}:${file}` })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Inside the folder of git. Packages that are not installed any more are searched for in all folders around it: around
 * /tmp/… there is one where everybody can put packages.
 */
async function temporaryFolder(root: string): Promise<string> {
  const home = (await git(root, "rev-parse", "--absolute-git-dir"))!.trimEnd()
  const make = (parent: string) => mkdtemp(join(parent, "keywright-diff-"))
  return make(home).catch(() => make(stateFolder())) // The repository may be read-only.
}

const git = async (root: string, ...words: string[]): Promise<string | undefined> => {
  try {
    return (await run("git", ["-C", root, ...words], { maxBuffer: 64 * 1024 * 1024 })).stdout
  } catch {
    return undefined
  }
}

async function rootOf(): Promise<string> {
  const found = await git(process.cwd(), "rev-parse", "--show-toplevel")
  if (found === undefined) throw noRepository(process.cwd())
  return found.trimEnd()
}

async function commitOf(root: string, revision: string): Promise<string> {
  const found = await git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`)
  if (found !== undefined) return found.trim()
  const isShallow = (await git(root, "rev-parse", "--is-shallow-repository"))?.trim() === "true"
  throw noRevision(revision, isShallow)
}

/** From the root of the repository, or from here; for a folder, its config. */
async function pathIn(root: string, commit: string, path: string, revision: string): Promise<string> {
  const here = relative(root, resolve(path))
  for (const candidate of [posix.normalize(path), here === "" ? "." : here]) {
    if (candidate.startsWith("..")) continue
    const type = (await git(root, "cat-file", "-t", `${commit}:${candidate === "." ? "" : candidate}`))?.trim()
    if (type === "blob") return candidate
    if (type !== "tree") continue
    for (const name of CONFIGS) {
      const config = posix.join(candidate, name)
      if ((await git(root, "cat-file", "-t", `${commit}:${config}`)) !== undefined) return config
    }
  }
  throw notInRevision(revision, path)
}

/** The folder of the schema with all that is below it, and those of what it imports: a schema may read files beside it. */
async function copyOut(root: string, commit: string, file: string, folder: string): Promise<void> {
  const index = join(folder, ".git-index")
  const write = async (files: readonly string[]) => {
    const writing = run("git", ["-C", root, "checkout-index", "-f", "-z", "--stdin", `--prefix=${folder}/`], {
      env: { ...process.env, GIT_INDEX_FILE: index },
    })
    writing.child.stdin?.end(files.join("\0"))
    await writing
  }
  await run("git", ["-C", root, "read-tree", `--index-output=${index}`, commit], {
    env: { ...process.env, GIT_INDEX_FILE: index },
  })
  const all = ((await git(root, "ls-tree", "-r", "-z", "--name-only", commit)) ?? "").split("\0")
  const folders = new Set<string>()
  const waiting = [file]
  const seen = new Set<string>()
  for (let at = waiting.shift(); at !== undefined && seen.size < most; at = waiting.shift()) {
    if (seen.has(at)) continue
    seen.add(at)
    const home = posix.dirname(at)
    if (!folders.has(home)) {
      folders.add(home)
      const inside = all.filter((name) => home === "." || name.startsWith(`${home}/`))
      await write(inside.length <= manyFiles ? inside : inside.filter((name) => readable.test(name)))
    }
    const text = textOfFile(join(folder, at))
    for (const [, specifier] of text.matchAll(imported)) {
      const base = posix.join(posix.dirname(at), specifier as string)
      const names = [base, base.replace(/\.js$/, ".ts"), ...ENDINGS.map((ending) => `${base}${ending}`)]
      waiting.push(...names.filter((name) => all.includes(name)))
    }
  }
  await furnish(root, all, folders, folder, write)
}

/** What decides how modules are found: each package.json as it was, and the packages as they are. */
async function furnish(
  root: string,
  all: readonly string[],
  homes: ReadonlySet<string>,
  folder: string,
  write: (files: readonly string[]) => Promise<void>,
): Promise<void> {
  const above = new Set(["."])
  for (const home of homes) for (let up = home; up !== "."; up = posix.dirname(up)) above.add(up)
  await write([...above].map((up) => posix.join(up, "package.json")).filter((name) => all.includes(name)))
  for (const up of above) {
    const packages = up === "." ? nearestPackages(root) : join(root, up, "node_modules")
    const place = join(folder, up, "node_modules")
    if (packages !== undefined && existsSync(packages) && !existsSync(place)) await symlink(packages, place, "junction")
  }
}

/** Those of the repository, or of a folder around it. */
function nearestPackages(root: string): string | undefined {
  for (let at = root; ; at = dirname(at)) {
    if (existsSync(join(at, "node_modules"))) return join(at, "node_modules")
    if (dirname(at) === at) return undefined
  }
}

/** A commit can hold links to anywhere: what is not a file has no imports. */
function textOfFile(path: string): string {
  try {
    return readText(path)
  } catch {
    return ""
  }
}
