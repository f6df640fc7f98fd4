/* One test per example of a page: that it compiles, prints what it says it
 * prints, and is refused where it says so. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { examplesIn, isPrinted, toCommands, toProgram } from "./examples-read.ts"
import { compile, folderOf, runCommand, runProgram } from "./examples-run.ts"

export function checkExamples(page: string, markdown: string): void {
  const examples = examplesIn(markdown)
  const programs = examples.filter(({ language }) => language === "ts").map(toProgram)
  const commands = examples.filter(({ language }) => language !== "ts").flatMap(toCommands)
  let place: Awaited<ReturnType<typeof folderOf>>
  let messages: Awaited<ReturnType<typeof compile>>

  describe(page, () => {
    beforeAll(async () => {
      place = await folderOf(programs)
      messages = programs.length > 0 ? await compile(place.folder) : new Map()
    })
    afterAll(() => place.remove())

    for (const program of programs) {
      it(`line ${program.line}: ${program.file} compiles`, () => {
        const unexpected = new Map(messages.get(program.file))
        for (const [line, text] of program.refused) {
          expect(
            isPrinted(text, unexpected.get(line) ?? "", "part"),
            `${program.file}:${line} is refused: ${text}`,
          ).toBe(true)
          unexpected.delete(line)
        }
        expect(Object.fromEntries(unexpected)).toEqual({})
      })
    }

    for (const program of programs.filter(({ runs }) => runs)) {
      it(`line ${program.line}: ${program.file} prints what it says`, async () => {
        const { code, printed } = await runProgram(place.folder, program)
        if (!isPrinted(program.prints, printed, "whole")) expect(printed).toBe(program.prints)
        expect(code).toBe(0)
      })
    }

    for (const command of commands) {
      it(`line ${command.line}: ${command.command}`, async () => {
        const outcome = await runCommand(place.folder, command)
        if (outcome === undefined) return
        if (!isPrinted(command.prints, outcome.printed, "part")) expect(outcome.printed).toBe(command.prints)
        expect(outcome.code, outcome.printed).toBeLessThanOrEqual(command.prints === "" ? 0 : 1)
      })
    }
  })
}
