-- Carries out actions one after another. One whose expectations do not hold does nothing.
--
-- KEYS     of each action in turn: of its checks, then of its commands
-- ARGV[1]  the logical database of the actions; "" in a cluster
-- ARGV     for each action its kind:
--     action    number of checks, number of commands; for each check: database or "", name,
--               number of words, words …, kind of comparison (see `holds`), what is expected;
--               for each command: name, number of words, words …
--               The key follows the name, or both words of it ("OBJECT IDLETIME").
--               Commands of our own: RAISE n (a number that is never lowered), DELIF value
--     dangling  number of ids, ids …: removes from a set (its KEYS are the set, then the
--               records) the ids whose records do not exist
--     stale     number of sets, number of records, their digests … (its KEYS are the sets, then
--               the records); for each set: number of ids, the numbers of their records with
--               commas, ids …: removes those whose record is the document of the digest
-- result   a digit for each action: 1 done, 0 not as expected, 2 nothing to do, 3 refused;
--          then, where one was refused, why

local pcall, sha1 = redis.pcall, redis.sha1hex
local home, at, k = ARGV[1], 2, 0
local here = home
local outcomes, refusal = {}, nil

local function go(db)
  if db ~= here then
    redis.call("SELECT", db)
    here = db
  end
end

-- include reply-digest

local function holds(reply, kind, expected)
  if type(reply) == "table" and reply.err then
    return false
  elseif kind == "integer" then
    return type(reply) == "number" and reply == tonumber(expected)
  elseif kind == "none" then
    return reply == false
  elseif kind == "text" then
    return spell(reply) == expected and reply ~= false
  elseif kind == "score" then
    return reply ~= false and tonumber(reply) == tonumber(expected)
  elseif kind == "digest" then
    return reply ~= false and sha1(spell(reply)) == expected
  elseif kind == "pairs" then
    return type(reply) == "table" and unorderedDigest(reply, 2) == expected
  end
  return tonumber(reply) ~= nil and tonumber(reply) > tonumber(expected) -- "above"
end

local function raise(key, number)
  local found = pcall("GET", key)
  if type(found) == "table" then
    return found
  elseif found and string.find(found, "^-?%d+$") and tonumber(found) >= tonumber(number) then
    return 0
  end
  return redis.call("SET", key, number)
end

local function act(name, key, first, last)
  if name == "RAISE" then
    return raise(key, ARGV[first])
  elseif name == "DELIF" then
    return pcall("GET", key) == ARGV[first] and redis.call("UNLINK", key) or 0
  elseif string.find(name, " ", 1, true) then
    local head, sub = string.match(name, "^(%S+) (%S+)$")
    return pcall(head, sub, key, unpack(ARGV, first, last))
  elseif last < first then
    return pcall(name, key)
  elseif last == first then
    return pcall(name, key, ARGV[first])
  end
  return pcall(name, key, unpack(ARGV, first, last))
end

-- Whether a field has a deadline of its own (since Redis 7.4 and Valkey 9): HSET and HDEL would lose it forever.
local function ends(key, field)
  local reply = pcall("HPEXPIRETIME", key, "FIELDS", 1, field)
  if type(reply) == "table" and reply.err then
    return not string.find(reply.err, "nknown")
  end
  return type(reply) == "table" and reply[1] > 0
end

local function action()
  local checks, commands = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  at = at + 2
  local isExpected = true
  for _ = 1, checks do
    local db, name, count = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
    local first, last = at + 3, at + 2 + count
    k = k + 1
    at = last + 3
    if isExpected then
      go(db == "" and home or db)
      isExpected = holds(act(name, KEYS[k], first, last), ARGV[last + 1], ARGV[last + 2])
    end
  end
  go(home)
  local outcome = isExpected and (commands == 0 and 1 or 2) or 0
  for _ = 1, commands do
    local name, count = ARGV[at], tonumber(ARGV[at + 1])
    local first, last = at + 2, at + 1 + count
    k = k + 1
    at = last + 1
    if isExpected and (name == "HSET" or name == "HDEL") and ends(KEYS[k], ARGV[first]) then
      isExpected, outcome = false, 0
    end
    if isExpected and outcome ~= 3 then
      local reply = act(name, KEYS[k], first, last)
      if type(reply) == "table" and reply.err then
        refusal = refusal or reply.err
        outcome = 3
      elseif name == "ZADD" or name == "HSET" or (reply ~= 0 and reply ~= false) then
        outcome = 1
      end
    end
  end
  outcomes[#outcomes + 1] = outcome
end

-- Removes ids from a set; notes what became of each in its place.
local function remove(set, ids, places, digits)
  if #ids == 0 then
    return
  end
  local has = pcall("SMISMEMBER", set, unpack(ids))
  local gone = {}
  for i = 1, #ids do
    local digit = has.err and "0" or has[i] == 0 and "2" or "1"
    digits[places[i]] = digit
    if digit == "1" then
      gone[#gone + 1] = ids[i]
    end
  end
  if #gone > 0 then
    redis.call("SREM", set, unpack(gone))
  end
end

-- Whether a set has all ids from ARGV[first] to ARGV[last].
local function hasAll(set, first, last)
  local has = pcall("SMISMEMBER", set, unpack(ARGV, first, last))
  for i = 1, last - first + 1 do
    if has[i] ~= 1 then
      return false
    end
  end
  return true
end

local function dangling()
  local count, set, first = tonumber(ARGV[at]), KEYS[k + 1], at + 1
  local records = k + 1
  at = first + count
  k = records + count
  local isNone = redis.call("EXISTS", unpack(KEYS, records + 1, k)) == 0
  if isNone and hasAll(set, first, at - 1) then
    redis.call("SREM", set, unpack(ARGV, first, at - 1))
    outcomes[#outcomes + 1] = string.rep("1", count)
    return
  end
  local ids, places, digits = {}, {}, {}
  for i = 1, count do
    if isNone or redis.call("EXISTS", KEYS[records + i]) == 0 then
      ids[#ids + 1] = ARGV[first + i - 1]
      places[#ids] = i
    else
      digits[i] = "0"
    end
  end
  remove(set, ids, places, digits)
  outcomes[#outcomes + 1] = table.concat(digits)
end

-- Which records are the documents that the digests say; and whether all are.
local function compared(count, digests, records)
  local same, isAll, documents = {}, true, nil
  for i = 1, count do
    local part = (i - 1) % 32
    if part == 0 then
      documents = redis.call("MGET", unpack(KEYS, records + i, records + math.min(i + 31, count)))
    end
    local document = documents[part + 1]
    same[i] = document and sha1(document) == ARGV[digests + i - 1]
    isAll = isAll and same[i]
  end
  return same, isAll
end

local function stale()
  local sets, count = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local same, isAll = compared(count, at + 2, k + sets)
  at = at + 2 + count
  for i = 1, sets do
    local set, first = KEYS[k + i], at + 2
    local last = at + 1 + tonumber(ARGV[at])
    if isAll and hasAll(set, first, last) then
      redis.call("SREM", set, unpack(ARGV, first, last))
      outcomes[#outcomes + 1] = string.rep("1", last - first + 1)
    else
      local ids, places, digits, place = {}, {}, {}, 0
      for record in string.gmatch(ARGV[at + 1], "%d+") do
        place = place + 1
        if same[tonumber(record)] then
          ids[#ids + 1] = ARGV[first + place - 1]
          places[#ids] = place
        else
          digits[place] = "0"
        end
      end
      remove(set, ids, places, digits)
      outcomes[#outcomes + 1] = table.concat(digits)
    end
    at = last + 1
  end
  k = k + sets + count
end

while at <= #ARGV do
  at = at + 1
  local kind = ARGV[at - 1]
  if kind == "dangling" then
    dangling()
  elseif kind == "stale" then
    stale()
  else
    action()
  end
end
return { table.concat(outcomes), refusal }
