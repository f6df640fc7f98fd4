/* Made by scripts/embed-lua.mjs from the .lua files beside it: change those. */

import type { Script } from "../../driver/driver.ts"
import { scriptOf } from "../../driver/script.ts"

/** family-write.lua */
export const familyWriteScript: Script = scriptOf(
  "family-write",
  '-- Changes one key of a family that is loaded, and leaves the family\'s deadline\n-- where it is. A family that is not there is not begun: it would be incomplete.\n--\n-- KEYS[1]  the key that is written\n-- KEYS[2…] all keys of the family\n-- ARGV     the commands, each as: number of words, words … ; the first word after\n--          the command\'s name stands for KEYS[1] and is left out\n-- result   the reply of the first command; false when the family is not loaded\n\nlocal deadline = -2\nfor i = 2, #KEYS do\n  deadline = redis.call("PEXPIRETIME", KEYS[i])\n  if deadline ~= -2 then\n    break\n  end\nend\nif deadline == -2 then\n  return false\nend\n\nlocal at = 1\nlocal first\nlocal started = false\nwhile at <= #ARGV do\n  local count = tonumber(ARGV[at])\n  local words = { ARGV[at + 1], KEYS[1] }\n  for i = 2, count do\n    words[#words + 1] = ARGV[at + i]\n  end\n  local reply = redis.call(unpack(words))\n  if not started then\n    first = reply\n    started = true\n  end\n  at = at + count + 1\nend\n\nif deadline > 0 then\n  redis.call("PEXPIREAT", KEYS[1], deadline)\nend\nreturn first\n',
)

/** once.lua */
export const onceScript: Script = scriptOf(
  "once",
  '-- Carries out commands on one key once, however often the call is sent.\n--\n-- KEYS[1]  the key that is written\n-- KEYS[2]  where the result is remembered, in the same slot\n-- ARGV[1]  how long it is remembered, in milliseconds\n-- ARGV[2…] the commands, each as: number of words, words … ; the first word after\n--          the command\'s name stands for KEYS[1] and is left out\n-- result   the reply of the first command; the same on every repetition\n\nlocal remembered = redis.call("GET", KEYS[2])\nif remembered then\n  return cmsgpack.unpack(remembered)[1]\nend\n\nlocal at = 2\nlocal first\nlocal started = false\nwhile at <= #ARGV do\n  local count = tonumber(ARGV[at])\n  local words = { ARGV[at + 1], KEYS[1] }\n  for i = 2, count do\n    words[#words + 1] = ARGV[at + i]\n  end\n  local reply = redis.call(unpack(words))\n  if type(reply) == "table" and reply.ok then\n    reply = reply.ok\n  end\n  if not started then\n    first = reply\n    started = true\n  end\n  at = at + count + 1\nend\n\nredis.call("SET", KEYS[2], cmsgpack.pack({ first }), "PX", ARGV[1])\nreturn first\n',
)
