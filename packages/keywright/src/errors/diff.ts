/* What can be wrong with the two schemas that are to be compared. */

import { KeywrightError } from "./error.ts"
import { failedWith } from "./failed-at.ts"

export const noRepository = (folder: string) =>
  new KeywrightError("DIFF.NO_REPOSITORY", `${folder} is not in a git repository`, {
    why: "The schema is compared with a Git revision, and there is no repository to read it from.",
    fix: "Run it inside the repository, or name both schemas: `keywright diff old.json schema.ts`.",
  })

export const noRevision = (revision: string, isShallow: boolean) =>
  new KeywrightError("DIFF.NO_REVISION", `git knows no revision ${JSON.stringify(revision)}`, {
    ...(isShallow && { why: "This clone is shallow: it has only the newest revisions." }),
    fix: isShallow
      ? "Run `git fetch --unshallow`; in a workflow, check out with `fetch-depth: 0`."
      : "See `git log` for the revisions that there are.",
  })

export const notInRevision = (revision: string, path: string) =>
  new KeywrightError("DIFF.NOT_IN_REVISION", `${revision} has no ${path === "." ? "config in this folder" : path}`, {
    why:
      path === "."
        ? "Without a path, the keywright.config file of this folder is compared with that of the revision."
        : "The path is taken from the root of the repository, then from here.",
    fix:
      path === "."
        ? "Commit it first, or name what to compare: `keywright diff <revision>:schema.ts schema.ts`."
        : "See `git ls-tree <revision>` for the files that there are; if it had another name, give that.",
  })

export const otherSchema = (server: string, wanted: string | undefined, found: readonly string[]) =>
  new KeywrightError(
    "DIFF.OTHER_SCHEMA",
    `${server} holds the schema of ${found.join(", ")}, not of ${wanted ?? "this one"}`,
    {
      why: "Schemas of different keyspaces cannot be compared.",
      fix: "Give the keyspace the name that is stored, or name another server.",
    },
  )

export const storedSchemaBroken = (server: string, cause: unknown) =>
  new KeywrightError("DIFF.STORED_SCHEMA", `the schema stored on ${server} cannot be read`, {
    why: failedWith(cause),
    fix: "Store it again with keywright record, by the version of Keywright that your programs use.",
    cause,
  })

export const renameRefused = (text: string, why?: string) =>
  new KeywrightError("DIFF.RENAME", `--rename ${JSON.stringify(text)} is not understood`, {
    ...(why !== undefined && { why }),
    fix: "Write `--rename cart=basket` for an entry, `--rename order.note=order.remark` for a field.",
  })
