/* One test per example of a page: that it compiles, prints what it says it prints, and is refused
 * where it says so. All pages that are given are compiled by one run of the compiler, and their
 * programs are run by one process, one after another. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { examplesIn, isPrinted, toCommands, toProgram } from "./examples-read.ts"
import { compile, folderOf, runCommand, runPrograms } from "./examples-run.ts"

/** All programs are run before the first one is looked at: on a busy machine that takes a while. */
const PATIENCE_MS = 300_000

export interface ExamplePage {
  readonly page: string
  readonly markdown: string
}

export function checkExamples(given: readonly ExamplePage[]): void {
  const pages = given.map(({ page, markdown }, index) => {
    const examples = examplesIn(markdown)
    const programs = examples.filter(({ language }) => language === "ts").map(toProgram)
    const commands = examples.filter(({ language }) => language !== "ts").flatMap(toCommands)
    return { page, folder: `page-${index}`, programs, commands }
  })
  let place: Awaited<ReturnType<typeof folderOf>>
  let messages: Awaited<ReturnType<typeof compile>>
  let outcomes: ReturnType<typeof runPrograms>

  beforeAll(async () => {
    place = await folderOf(
      pages.flatMap(({ folder, programs }) =>
        programs.map((program) => ({ ...program, file: `${folder}/${program.file}` })),
      ),
    )
    messages = await compile(place.folder)
    const running = pages.flatMap(({ folder, programs }) =>
      programs.filter(({ runs }) => runs).map(({ file }) => `${folder}/${file}`),
    )
    outcomes = runPrograms(place.folder, running)
    outcomes.catch(() => undefined)
  }, PATIENCE_MS)
  afterAll(() => place?.remove())

  for (const { page, folder, programs, commands } of pages) {
    if (programs.length + commands.length === 0) continue
    describe(page, () => {
      for (const program of programs) {
        it(`line ${program.line}: ${program.file} compiles`, () => {
          const unexpected = new Map(messages.get(`${folder}/${program.file}`))
          for (const [line, text] of program.refused) {
            expect(
              isPrinted(text, unexpected.get(line) ?? "", "part"),
              `${program.file}:${line} is refused: ${text}; found: ${unexpected.get(line)}`,
            ).toBe(true)
            unexpected.delete(line)
          }
          expect(Object.fromEntries(unexpected)).toEqual({})
        })
      }

      for (const program of programs.filter(({ runs }) => runs)) {
        it(
          `line ${program.line}: ${program.file} prints what it says`,
          async () => {
            const { code, printed } = (await outcomes).get(`${folder}/${program.file}`)!
            if (!isPrinted(program.prints, printed, "whole")) expect(printed).toBe(program.prints)
            expect(code).toBe(0)
          },
          PATIENCE_MS,
        )
      }

      for (const command of commands) {
        it(`line ${command.line}: ${command.command}`, async () => {
          const outcome = await runCommand(`${place.folder}/${folder}`, command)
          if (outcome === undefined) return
          if (!isPrinted(command.prints, outcome.printed, "part")) expect(outcome.printed).toBe(command.prints)
          expect(outcome.code, outcome.printed).toBeLessThanOrEqual(command.prints === "" ? 0 : 1)
        })
      }
    })
  }
}
