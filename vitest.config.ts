import { defineConfig } from "vitest/config"

/* Tests run on the sources, not on the build: the workspace packages export
 * their sources under the condition "@keywright/source". */
const conditions = ["@keywright/source", "node", "import", "default"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "systems/**/*.test.ts", "bench/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    typecheck: { include: ["packages/*/src/**/*.test-d.ts"], tsconfig: "./tsconfig.check.json", checker: "tsc" },
  },
})
