-- Stores a contact list as it was loaded, unless somebody changed the source since
-- (MSG-16, MSG-18). It never expires.
--
-- KEYS[1]  C:{user}   KEYS[2]  who may store it
-- ARGV     who; n, then the n items
-- result   1, or 0 when it was not stored

if redis.call("GET", KEYS[2]) ~= ARGV[1] then
  return 0
end
redis.call("DEL", KEYS[2])
if redis.call("EXISTS", KEYS[1]) == 1 then
  return 0
end
for i = 3, #ARGV do
  redis.call("RPUSH", KEYS[1], ARGV[i])
end
return 1
