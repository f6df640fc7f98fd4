-- From one record along its relations, in one round trip. Reads only; keys follow from
-- what is read, so only the first can be declared. What cannot be followed (a key of
-- another type, a document that is not one, too much of it) is left out: the caller reads
-- that itself.
--
-- KEYS[1]  the record, or a unique index that leads to it
-- ARGV     what KEYS[1] is ("record", "index", or "quoted-index" when ids are in quotes there),
--          head and tail of the record's key; then for each relation: the number of the place
--          where it begins (0 is the first record, the first relation leads to 1, …), its
--          kind, two words, head and tail of the records that it leads to. The kinds:
--     field  name, ""       a field of the document holds the id; found by text match: a false
--                           match costs one useless read
--     unique  head, tail    of the unique index that holds the record's id
--     set  head, tail       of the set that holds the record's id
--     quoted-unique, quoted-set  the same where ids are in quotes
-- result   key, value, key, value …: a text or nothing for strings, members for sets

-- include unquote

local function unquoteAll(texts)
  local ids = {}
  for i = 1, #texts do
    ids[i] = unquote(texts[i])
  end
  return ids
end

local MOST = 4000
local result, size = {}, 0

-- Reads the records with these ids. Those that are there are added to `found`: id and
-- document in turn.
local function read(ids, head, tail, found)
  local count, n = #ids, #found
  if count == 0 or size + 2 * count > MOST then
    return
  end
  local keys = {}
  for i = 1, count do
    keys[i] = head .. ids[i] .. tail
  end
  local documents = redis.call("MGET", unpack(keys))
  for i = 1, count do
    local document = documents[i]
    -- MGET says the same of a key that is missing and of one of another type.
    if document or redis.call("EXISTS", keys[i]) == 0 then
      result[size + 1], result[size + 2] = keys[i], document
      size = size + 2
    end
    if document then
      found[n + 1], found[n + 2] = ids[i], document
      n = n + 2
    end
  end
end

local key, first = KEYS[1], nil
if ARGV[1] ~= "record" then
  first = redis.pcall("GET", key)
  if type(first) == "table" then
    return result
  end
  result[1], result[2], size = key, first, 2
  if first and ARGV[1] == "quoted-index" then
    first = unquote(first)
  end
else
  first = string.sub(key, #ARGV[2] + 1, #key - #ARGV[3])
end
local places = { [0] = {} }
read({ first or nil }, ARGV[2], ARGV[3], places[0])

for at = 4, #ARGV, 6 do
  local sources, found = places[tonumber(ARGV[at])], {}
  local kind, one, other, head, tail = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4], ARGV[at + 5]
  if kind == "field" then
    local ids, field = {}, '"' .. string.gsub(one, "%W", "%%%0") .. '"%s*:%s*"([^"\\]*)"'
    for i = 2, #sources, 2 do
      ids[#ids + 1] = string.match(sources[i], field)
    end
    read(ids, head, tail, found)
  else
    local isSet = kind == "set" or kind == "quoted-set"
    local isQuoted = kind == "quoted-set" or kind == "quoted-unique"
    for i = 1, #sources, 2 do
      local leads = one .. sources[i] .. other
      local reply = redis.pcall(isSet and "SMEMBERS" or "GET", leads)
      if type(reply) ~= "table" or not reply.err then
        result[size + 1], result[size + 2] = leads, reply
        size = size + 2
        local ids = isSet and reply or { reply or nil }
        read(isQuoted and unquoteAll(ids) or ids, head, tail, found)
      end
    end
  end
  places[(at + 2) / 6] = found
end
return result
