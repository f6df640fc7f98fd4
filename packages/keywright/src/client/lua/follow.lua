-- From one record along its relations, in one round trip. Reads only; keys follow from
-- what is read, so only the first can be declared. What cannot be followed (a key of
-- another type, a document that is none, too much of it) is left out: the caller reads
-- that for itself.
--
-- KEYS[1]  the record, or a unique index that leads to it
-- ARGV     "1" when KEYS[1] is an index, head and tail of the record's key; then for each
--          relation: the number of the place where it begins (0 is the first record, the
--          first relation leads to 1, …), its kind, two words, head and tail of the
--          records that it leads to. The kinds and their words:
--     f  field, ""        a field of the document holds the id; found by its spelling,
--                         since a wrong one is only read in vain
--     u  head, tail       of the unique index that the record's id stands in
--     s  head, tail       of the set that the record's id stands in
-- result   key, value, key, value …: a text or nothing for strings, members for sets

local MOST = 2000
local result, size = {}, 0

local function known(key, value)
  result[size + 1], result[size + 2] = key, value
  size = size + 2
end

local function read(command, key)
  local reply = redis.pcall(command, key)
  if type(reply) == "table" and reply.err then
    return false
  end
  known(key, reply)
  return reply
end

-- The records with these ids, added to those that were found: ids and documents in turn.
local function records(found, ids, head, tail)
  local count = math.min(#ids, MOST - size / 2)
  if count < 1 then
    return
  end
  local keys = {}
  for i = 1, count do
    keys[i] = head .. ids[i] .. tail
  end
  local documents = redis.call("MGET", unpack(keys))
  local at = #found
  for i = 1, count do
    known(keys[i], documents[i])
    if documents[i] then
      found[at + 1], found[at + 2] = ids[i], documents[i]
      at = at + 2
    end
  end
end

local places = {}
for i = 0, (#ARGV - 3) / 6 do
  places[i] = {}
end
local key, head, tail = KEYS[1], ARGV[2], ARGV[3]
local first = ARGV[1] == "1" and read("GET", key) or ARGV[1] ~= "1" and string.sub(key, #head + 1, #key - #tail)
if first then
  records(places[0], { first }, head, tail)
end

for at = 4, #ARGV, 6 do
  local sources, found = places[tonumber(ARGV[at])], places[(at + 2) / 6]
  local kind, one, other, head, tail = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4], ARGV[at + 5]
  if kind == "s" then
    for i = 1, #sources, 2 do
      records(found, read("SMEMBERS", one .. sources[i] .. other) or {}, head, tail)
    end
  else
    local field = kind == "f" and '"' .. string.gsub(one, "%W", "%%%0") .. '"%s*:%s*"([^"\\]*)"'
    local ids = {}
    for i = 1, #sources, 2 do
      ids[#ids + 1] = field and string.match(sources[i + 1], field) or not field and read("GET", one .. sources[i] .. other) or nil
    end
    records(found, ids, head, tail)
  end
end
return result
