-- Tells of something that happened in the source (MSG-31).
--
-- KEYS[1]  the events of the service
-- ARGV     how many are kept, and for how many milliseconds; kind; users, channel, managers: who is told, "" where
--          it is left out; data

-- include tell
local fields = { "kind", ARGV[3], "data", ARGV[7] }
for i, name in ipairs({ "users", "channel", "managers" }) do
  if ARGV[3 + i] ~= "" then
    fields[#fields + 1], fields[#fields + 2] = name, ARGV[3 + i]
  end
end
tell(KEYS[1], ARGV[1], ARGV[2], unpack(fields))
