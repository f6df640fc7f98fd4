-- The part `ids`: chooses the next free ids of each counter, and puts them in place of their
-- placeholders in all that follows. Counters are only read here, see raise-counters.lua. Items:
--   how many ids the counter at the key gives, head and tail of the records' keys, the placeholders
local result, counters = 1, nil
if idGroups > 0 then
  -- Whether no record has the next ids after `number`.
  local function areFree(number, many, head, tail)
    local keys = {}
    for i = 1, many do
      keys[i] = head .. string.format("%.0f", number + i) .. tail
      if absent and absent[keys[i]] then
        return false
      end
    end
    return call("EXISTS", unpack(keys)) == 0
  end

  -- The next id after `number` that no record has, in steps that grow when many are taken.
  local function nextFree(number, head, tail)
    local step, tries = 1, 0
    repeat
      number = number + step
      tries = tries + 1
      if tries > 100 then
        step = step * 2
      end
      local key = head .. string.format("%.0f", number) .. tail
    until not (absent and absent[key]) and call("EXISTS", key) == 0
    return number
  end

  -- Replaces placeholders by ids: "kwid" and 24 digits. A pattern would be tried at every
  -- character.
  local find, sub = string.find, string.sub
  local function fill(words, from, ids)
    for i = from, #words do
      local word = words[i]
      local place, next, filled = find(word, "kwid", 1, true), 1, ""
      if place and ids[word] then
        words[i] = ids[word]
      elseif place then
        repeat
          local id = ids[sub(word, place, place + 27)]
          if id then
            filled, next = filled .. sub(word, next, place - 1) .. id, place + 28
          end
          place = find(word, "kwid", place + 4, true)
        until not place
        words[i] = filled .. sub(word, next)
      end
    end
  end

  local ids = {}
  result, counters = { 1 }, {}
  for group = 1, idGroups do
    local counter, head, tail = KEYS[stringCount + group], ARGV[at + 1], ARGV[at + 2]
    local known = counters[counter]
    if not known then
      -- MGET does not distinguish a key of another type from a missing one: GET refuses it.
      local text = counterTexts[group] or call("GET", counter) or "0"
      if not isNumber(text, true) or tonumber(text) > 9007199254740000 then
        return redis.error_reply("ENTITY.COUNTER " .. counter .. " is not an integer, so it cannot be incremented")
      end
      known = { before = tonumber(text), now = tonumber(text) }
      counters[counter] = known
    end
    local many = tonumber(ARGV[at])
    local last, isFree = at + 2 + many, many > 1 and many <= MOST and areFree(known.now, many, head, tail)
    for i = at + 3, last do
      known.now = isFree and known.now + 1 or nextFree(known.now, head, tail)
      local id = string.format("%.0f", known.now)
      ids[ARGV[i]] = id
      result[#result + 1] = id
    end
    at = last + 1
  end
  fill(KEYS, k + 1, ids)
  fill(ARGV, operation and 7 or at, ids) -- its answer, and all that follows
end
