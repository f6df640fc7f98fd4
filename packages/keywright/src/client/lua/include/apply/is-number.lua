-- Whether INCRBY (`isWhole`) or INCRBYFLOAT can add to a text. INCRBYFLOAT refuses a text that
-- underflows to 0, so such a text is refused here.
local function isNumber(text, isWhole)
  local number = tonumber(text)
  if not number or number ~= number or math.abs(number) > 4e18 then
    return false
  elseif isWhole then
    return text == "0" or string.find(text, "^%-?[1-9]%d*$") ~= nil
  elseif not string.find(text, "^%-?[%d.eE+-]+$") or #text > 300 then
    return false
  end
  return number ~= 0 or not string.find(text, "^[^eE]*[1-9]")
end
