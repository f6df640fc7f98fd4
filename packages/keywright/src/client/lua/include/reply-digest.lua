-- A reply as one text: a text as it is, a list as its parts, each with its length.
local function spell(reply)
  if type(reply) ~= "table" then
    return reply and tostring(reply) or ""
  end
  if reply.ok then
    return reply.ok
  end
  local parts = {}
  for i = 1, #reply do
    local part = reply[i] and spell(reply[i])
    parts[i] = part and #part .. ":" .. part or "-"
  end
  return table.concat(parts)
end

-- The digest of a reply without order, in groups of `width` elements. Hexadecimal digits
-- sort the same way in every locale.
local function unorderedDigest(reply, width)
  local parts = {}
  for i = 1, #reply, width do
    parts[#parts + 1] = redis.sha1hex(spell({ reply[i], width == 2 and reply[i + 1] or nil }))
  end
  table.sort(parts)
  return redis.sha1hex(table.concat(parts))
end
