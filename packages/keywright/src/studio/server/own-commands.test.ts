import { expect, test } from "vitest"
import { onAnyServer } from "../../client/servers.cases.ts"
import { OwnCommands } from "./own-commands.ts"
import { readMonitorLine } from "../../inspect/stats/monitor-line.ts"

onAnyServer("what the studio itself asks", (server) => {
  test("is known again in a line of MONITOR, whatever the key, and once only", async () => {
    const own = new OwnCommands()
    own.start()
    const driver = own.noting(server().driver)
    await driver.send(["TYPE", Buffer.from([0x62, 0xff, 0xfe])])
    await driver.batch([["GET", "món:\n1"], ["PING"]])
    const passed = [
      '1.0 [0 127.0.0.1:5] "TYPE" "b\\xff\\xfe"',
      '1.0 [0 127.0.0.1:5] "GET" "m\\xc3\\xb3n:\\n1"',
      '1.0 [0 127.0.0.1:5] "PING"',
    ].map((line) => readMonitorLine(line)!)
    const take = () => passed.map(({ db, command: [name, key] }) => own.take(db, name!.toLowerCase(), key))
    expect(take()).toEqual([true, true, true])
    expect(take()).toEqual([false, false, false])
  })
})
