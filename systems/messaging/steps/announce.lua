-- Publishes what happened in the source (MSG-31), in order.
--
-- KEYS[1]  the events of the service
-- ARGV     how many are kept, and for how many milliseconds; three for each event, as a
--          count and that many texts: kind, who is notified, data

-- include tell
local last
for i = 4, #ARGV, 3 do
  last = add(KEYS[1], ARGV[1], "kind", ARGV[i], "to", ARGV[i + 1], "data", ARGV[i + 2])
end
if last then
  notify(KEYS[1], ARGV[2], last)
end
