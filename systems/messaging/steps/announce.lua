-- Publishes something that happened in the source (MSG-31).
--
-- KEYS[1]  the events of the service
-- ARGV     how many are kept, and for how many milliseconds; kind, who is notified, data

-- include tell
tell(KEYS[1], ARGV[1], ARGV[2], "kind", ARGV[3], "to", ARGV[4], "data", ARGV[5])
