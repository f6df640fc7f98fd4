-- Part of other scripts: a key as values name it, which is without the tag of its shard.
-- They name keys of their own shard only.
local function named(key)
  return (string.gsub(key, "^{%w+}:", ""))
end
