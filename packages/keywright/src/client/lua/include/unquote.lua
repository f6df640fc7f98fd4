-- The text without its quotes; a text that has none, unchanged.
local function unquote(text)
  local plain = string.match(text, '^"([^"\\]*)"$')
  if plain then
    return plain
  elseif string.sub(text, 1, 1) ~= '"' then
    return text
  end
  local isRead, list = pcall(cjson.decode, "[" .. text .. "]")
  return isRead and #list == 1 and type(list[1]) == "string" and list[1] or text
end
