/* What can be wrong with the set-up of a test. */

import { KeywrightError } from "./error.ts"

export const hooksMissing = () =>
  new KeywrightError("TESTING.HOOKS", "useEngine() was given no hooks of a test runner, and finds none", {
    why: "The engine is emptied before each test and closed after the last.",
    fix: "Pass { beforeEach, afterAll } of vitest, or { beforeEach, after } of node:test.",
  })
