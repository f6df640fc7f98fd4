/* Notes beside an export: they are believed only where this user's own import wrote them, and
 * where what they call done is still there. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, expect, it } from "vitest"
import { onBothServers } from "../../client/servers.cases.ts"
import { bistro as typed } from "../../inspect/audit/bistro.cases.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { serverMark } from "../server-mark.ts"
import { exportOf, manifest, signed } from "./hostile-export.cases.ts"
import { importKeys } from "./import-keys.ts"
import { ImportNotes } from "./import-progress.ts"

const bistro = typed as unknown as Keyspace
const folder = mkdtempSync(join(tmpdir(), "keywright-import-notes-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, "export.ndjson")
const notesFile = `${file}.import`

const keys = ["dish:index:category:1", "dish:index:category:2", "dish:index:category:3"]
const lines = keys.map((key) => JSON.stringify(signed({ db: 0, key, type: "set", value: ["1"] })))
const counts = {
  ...{ written: 2, skipped: 0, same: 0, expired: 0 },
  ...{ leftOut: 0, unreadable: 0, otherRecorded: 0, different: 0 },
}
/** After two of the three. */
const place = {
  offset: Buffer.byteLength([JSON.stringify(manifest), ...lines.slice(0, 2), ""].join("\n")),
  line: 3,
  counts,
}
const stamp = JSON.stringify([manifest, "fail", "refuse", false])

onBothServers("an import with notes beside its export", (server) => {
  beforeEach(() => {
    rmSync(notesFile, { force: true })
    writeFileSync(file, exportOf(lines))
  })
  const outcome = () =>
    importKeys(bistro, server().driver, { file }, { rebuild: false }).then(
      ({ resumed, written, same }) => ({ resumed, written, same }),
      (error: { code: string }) => error.code,
    )
  const write = async (mark?: string) => {
    const notes = new ImportNotes<typeof counts>(file, stamp, mark ?? (await serverMark(server().driver)))
    notes.write(place)
    notes.close()
  }
  const importTwo = () => Promise.all(keys.slice(0, 2).map((key) => server().raw("SADD", key, "1")))

  it("continues where it stopped", async () => {
    await importTwo()
    await write()
    expect(await outcome()).toEqual({ resumed: true, written: 3, same: 0 })
    expect(await server().keys()).toEqual(keys)
  })

  it("writes nothing where somebody else wrote them", async () => {
    const forged = { stamp, server: await serverMark(server().driver), id: "0".repeat(32), ...place }
    for (const text of [JSON.stringify(forged), `${JSON.stringify(forged)}\n${"A".repeat(43)}`, "", "{"]) {
      writeFileSync(notesFile, text, { mode: 0o600 })
      expect(await outcome()).toBe("IMPORT.NOTES")
    }
    await write()
    writeFileSync(notesFile, readFileSync(notesFile, "utf8").replace('"line":3', '"line":4'))
    expect(await outcome()).toBe("IMPORT.NOTES")
    expect(await server().keys()).toEqual([])
  })

  it("begins at its beginning on a server that was emptied since", async () => {
    await write()
    expect(await outcome()).toEqual({ resumed: false, written: 3, same: 0 })
    expect(await server().keys()).toEqual(keys)
  })

  it("begins at its beginning on another server", async () => {
    await importTwo()
    await write("redis://elsewhere:6379/0")
    expect(await outcome()).toEqual({ resumed: false, written: 1, same: 2 })
  })

  it("finds a conflict where what was imported is gone, and something else is there", async () => {
    await server().raw("SADD", keys[1]!, "another")
    await write()
    expect(await outcome()).toBe("IMPORT.EXISTS")
    expect(await server().keys()).toEqual([keys[1]])
  })

  it("is not continued by a copy of the notes when it is over", async () => {
    await importTwo()
    await write()
    copyFileSync(notesFile, `${notesFile}.kept`)
    expect(await outcome()).toMatchObject({ resumed: true })
    await server().raw("SADD", keys[0]!, "another")
    await server().raw("DEL", keys[2]!)
    copyFileSync(`${notesFile}.kept`, notesFile)
    expect(await outcome()).toBe("IMPORT.EXISTS")
    expect(await server().keys()).toEqual(keys.slice(0, 2))
  })
})
