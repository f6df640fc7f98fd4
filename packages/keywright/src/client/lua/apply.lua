-- Compare and apply: the one script behind every entity and transaction. It checks
-- all preconditions, then writes everything; in between nobody can look.
--
-- KEYS     every key that is read or written; the last is the operation's own when
--          ARGV[1] is not "" (it remembers the result for whoever sends it again)
-- ARGV     how long the result is remembered in milliseconds, or "";
--          number of checks, then each check: its kind, number of the key, …
--            =  value          the string is exactly this
--            -                 there is no such key
--            +                 there is such a key
--            u  id head tail   free, or held by `id`, or by a record head..holder..tail that is gone
--            t  type           nothing, or this Redis type
--            n  field          nothing, or a number ("" for the whole string)
--            d  digest n …     reading it (n words of a command, without the key) gives this digest
--            s, h  …           the same, for members and for pairs that come in no order
--          number of new ids, then each: number of the counter's key, the placeholder
--            that stands for the id, head and tail of the record's key
--          the commands, each as: number of words, number of the key, name, words …
--            A key number of 0 means that the first word is the key itself, made
--            with a placeholder. A negative number of words: replace placeholders.
--            Three commands of our own: DELIF value (delete if it is this), ZADDIN
--            ms member (the score is the server's time in ms milliseconds) and
--            ZADDLEFT record ms member (the same, in what that record has left)
-- result   { 1, new ids … }, or { 0, number of the failed check, what was found }
-- errors   ENTITY.COUNTER_BEHIND  too many ids of this counter are taken
--          ENTITY.WRONG_TYPE      a key of the new record holds something else

local call = redis.call
local at = 2
if ARGV[1] ~= "" then
  local remembered = call("GET", KEYS[#KEYS])
  if remembered then
    return cmsgpack.unpack(remembered)
  end
end

-- Any reply as one text.
local function spell(reply)
  if type(reply) ~= "table" then
    return type(reply) .. ":" .. tostring(reply)
  end
  if reply.ok then
    return "string:" .. reply.ok
  end
  local parts = {}
  for i = 1, #reply do
    local part = spell(reply[i])
    parts[i] = #part .. "=" .. part
  end
  return "table:" .. table.concat(parts, ",")
end

-- The digest of a reply. What comes in no order is put in that of its parts' digests,
-- `width` elements at a time: hexadecimal digits sort alike in every locale.
local function digest(reply, width)
  if width == 0 or type(reply) ~= "table" then
    return redis.sha1hex(spell(reply))
  end
  local parts = {}
  for i = 1, #reply, width do
    parts[#parts + 1] = redis.sha1hex(spell({ reply[i], width == 2 and reply[i + 1] or nil }))
  end
  table.sort(parts)
  return redis.sha1hex(table.concat(parts))
end

local checks = tonumber(ARGV[at])
at = at + 1
for check = 1, checks do
  local kind, key = ARGV[at], KEYS[tonumber(ARGV[at + 1])]
  at = at + 2
  if kind == "=" then
    local found = call("GET", key)
    if found ~= ARGV[at] then
      return { 0, check, found }
    end
    at = at + 1
  elseif kind == "u" then
    local holder = call("GET", key)
    if holder and holder ~= ARGV[at] and call("EXISTS", ARGV[at + 1] .. holder .. ARGV[at + 2]) == 1 then
      return { 0, check, holder }
    end
    at = at + 3
  elseif kind == "t" then
    local found = call("TYPE", key).ok
    if found ~= "none" and found ~= ARGV[at] then
      return { 0, check, found }
    end
    at = at + 1
  elseif kind == "n" then
    local found
    if ARGV[at] == "" then
      found = call("GET", key)
    else
      found = call("HGET", key, ARGV[at])
    end
    if found and not tonumber(found) then
      return { 0, check, found }
    end
    at = at + 1
  elseif kind == "-" then
    if call("EXISTS", key) == 1 then
      return { 0, check, false }
    end
  elseif kind == "+" then
    if call("EXISTS", key) == 0 then
      return { 0, check, false }
    end
  else
    local words = { ARGV[at + 2], key }
    local count = tonumber(ARGV[at + 1])
    for i = 2, count do
      words[i + 1] = ARGV[at + 1 + i]
    end
    local reply = call(unpack(words))
    if digest(reply, kind == "s" and 1 or kind == "h" and 2 or 0) ~= ARGV[at] then
      return { 0, check, false }
    end
    at = at + 2 + count
  end
end

local result = { 1 }
local placeholders
local allocations = tonumber(ARGV[at])
at = at + 1
for i = 1, allocations do
  local counter, head, tail = KEYS[tonumber(ARGV[at])], ARGV[at + 2], ARGV[at + 3]
  local id, tries = nil, 0
  repeat
    id = string.format("%.0f", call("INCR", counter))
    tries = tries + 1
    if tries > 100000 then
      return redis.error_reply("ENTITY.COUNTER_BEHIND the next 100000 ids are in use")
    end
  until call("EXISTS", head .. id .. tail) == 0
  placeholders = placeholders or {}
  placeholders[ARGV[at + 1]] = id
  result[i + 1] = id
  at = at + 4
end

-- The placeholders are words of letters and digits: one pass finds all of them.
local function fill(text)
  return (string.gsub(text, "kwid%x+", placeholders))
end

local function zaddin(key, ms, member)
  local now = call("TIME")
  call("ZADD", key, now[1] * 1000 + math.floor(now[2] / 1000) + ms, member)
end

-- A key made of a new id has not been checked: what is there must take the command.
local takes = { SADD = "set", SREM = "set", ZADD = "zset", ZREM = "zset", HSET = "hash" }

local last = #ARGV
if placeholders then
  local look = at
  while look <= last do
    local count = math.abs(tonumber(ARGV[look]))
    if ARGV[look + 1] == "0" then
      local key, type = fill(ARGV[look + 3]), takes[ARGV[look + 2]]
      local found = type and call("TYPE", key).ok
      if found and found ~= "none" and found ~= type then
        return redis.error_reply("ENTITY.WRONG_TYPE " .. key .. " is a " .. found)
      end
      count = count + 1
    end
    look = look + 3 + count
  end
end

while at <= last do
  local count, key = tonumber(ARGV[at]), ARGV[at + 1]
  local filled = count < 0
  if filled then
    count = -count
  end
  local name = ARGV[at + 2]
  at = at + 3
  if key == "0" then
    key = fill(ARGV[at])
    at = at + 1
  else
    key = KEYS[tonumber(key)]
  end
  if filled then
    local words = {}
    for i = 1, count do
      words[i] = fill(ARGV[at + i - 1])
    end
    if name == "ZADDIN" then
      zaddin(key, words[1], words[2])
    else
      call(name, key, unpack(words))
    end
  elseif name == "DELIF" then
    if call("GET", key) == ARGV[at] then
      call("DEL", key)
    end
  elseif name == "ZADDIN" then
    zaddin(key, ARGV[at], ARGV[at + 1])
  elseif name == "ZADDLEFT" then
    local left = call("PTTL", ARGV[at])
    zaddin(key, left > 0 and left or ARGV[at + 1], ARGV[at + 2])
  elseif count == 1 then
    call(name, key, ARGV[at])
  else
    call(name, key, unpack(ARGV, at, at + count - 1))
  end
  at = at + count
end

if ARGV[1] ~= "" then
  call("SET", KEYS[#KEYS], cmsgpack.pack(result), "PX", ARGV[1])
end
return result
