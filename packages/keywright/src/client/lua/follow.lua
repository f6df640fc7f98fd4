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
--     f  field, ""        a field of the document holds the id
--     u  head, tail       of the unique index that the record's id stands in
--     s  head, tail       of the set that the record's id stands in
-- result   key, value, key, value …: a text or nothing for strings, members for sets

local MOST = 4000
local result, seen = {}, {}

local function read(command, key)
  if seen[key] ~= nil then
    return seen[key]
  end
  if #result >= MOST then
    return false
  end
  local reply = redis.pcall(command, key)
  if type(reply) == "table" and reply.err then
    return false
  end
  seen[key] = reply
  result[#result + 1] = key
  result[#result + 1] = reply
  return reply
end

local function records(ids, head, tail)
  local found = {}
  for _, id in ipairs(ids) do
    local document = read("GET", head .. id .. tail)
    if document then
      found[#found + 1] = { id = id, document = document }
    end
  end
  return found
end

local function idsFrom(record, kind, first, second)
  if kind == "f" then
    local isJson, document = pcall(cjson.decode, record.document)
    local id = isJson and type(document) == "table" and document[first]
    return type(id) == "string" and { id } or {}
  elseif kind == "u" then
    local id = read("GET", first .. record.id .. second)
    return id and { id } or {}
  end
  return read("SMEMBERS", first .. record.id .. second) or {}
end

local places = {}
if ARGV[1] == "1" then
  local id = read("GET", KEYS[1])
  places[0] = id and records({ id }, ARGV[2], ARGV[3]) or {}
else
  local key = KEYS[1]
  places[0] = records({ string.sub(key, #ARGV[2] + 1, #key - #ARGV[3]) }, ARGV[2], ARGV[3])
end

for at = 4, #ARGV, 6 do
  local found = {}
  for _, record in ipairs(places[tonumber(ARGV[at])]) do
    local ids = idsFrom(record, ARGV[at + 1], ARGV[at + 2], ARGV[at + 3])
    for _, one in ipairs(records(ids, ARGV[at + 4], ARGV[at + 5])) do
      found[#found + 1] = one
    end
  end
  places[#places + 1] = found
end
return result
