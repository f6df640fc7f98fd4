-- A user did something: their status lives on, or begins; they are online (MSG-8).
--
-- KEYS     St:{user}, OnSub, the services with somebody online, the events of the service
-- ARGV     the user, now, milliseconds that a status lives; how many events are kept, and for how many milliseconds
-- result   whether that is new to others

-- include tell
-- include named
-- include be-present
local keys = { status = KEYS[1], online = KEYS[2], services = KEYS[3], events = KEYS[4] }
return be_present(keys, ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]) and 1 or 0
