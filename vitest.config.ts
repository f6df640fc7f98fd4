/* Tests run on the sources, not on the build: the workspace packages export
 * their sources under the condition "@keywright/source".
 *
 *   unit   everything that may share the machine: pure tests, and tests that
 *          start a server of their own on a free port. Files share processes, and with them
 *          the modules that were loaded: so what a test sets up there, it takes down again
 *   heavy  x.heavy.test.ts: kill -9, load, millions of keys. Four files at a time
 *          (two in the full run), after all the others, so that they starve nobody
 *          x.full.test.ts: only in the full run, for what needs gigabytes or a JVM
 *   types  x.test-d.ts: one run of the compiler, on these files and what they import
 *
 * KEYWRIGHT_FULL=1 asks for the counts that are promised instead of reduced ones. */

import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { LongestFirst } from "./test/longest-first.ts"

// "import" and "require" come by themselves: given here, "import" would count for require() too.
const conditions = ["@keywright/source", "node"]
const roots = "{packages/*/src,systems,bench/src,test}"
const noTypes = { include: [] }
const full = process.env["KEYWRIGHT_FULL"] === "1" ? 20 : 1

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // For a machine that is busy with other things as well: calm, nearly every test takes less than a second.
    testTimeout: 90_000 * full,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: LongestFirst },
    // The heavy tests, and the next run, take modules as they were transformed before, by their content.
    experimental: { fsModuleCache: true },
    // The key that journals are signed with: not that of the user who runs the tests.
    env: {
      KEYWRIGHT_STATE: join(import.meta.dirname, "node_modules/.keywright-state"),
    },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [`${roots}/**/*.test.ts`],
          exclude: ["**/node_modules/**", "**/dist/**", "**/*.heavy.test.ts", "**/*.full.test.ts"],
          maxWorkers: 3,
          isolate: false,
          sequence: { groupOrder: 0 },
          typecheck: noTypes,
        },
      },
      {
        extends: true,
        test: {
          name: "heavy",
          include: [`${roots}/**/*.heavy.test.ts`, ...(full === 1 ? [] : [`${roots}/**/*.full.test.ts`])],
          exclude: ["**/node_modules/**", "**/dist/**"],
          testTimeout: 180_000 * full,
          isolate: false,
          // They wait for deadlines and restarts most of the time.
          maxWorkers: full === 1 ? 4 : 2,
          sequence: { groupOrder: 1 },
          typecheck: noTypes,
        },
      },
      {
        extends: true,
        test: {
          name: "types",
          include: [],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
          typecheck: {
            enabled: true,
            only: true,
            include: [`${roots}/**/*.test-d.ts`],
            tsconfig: "./tsconfig.type-tests.json",
            checker: "tsc",
            ignoreSourceErrors: true,
          },
        },
      },
    ],
  },
})
