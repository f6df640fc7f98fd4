-- Adds posts to the pool, unless they were deleted since they were read (REC-20).
--
-- pool        (category, post, challenge)…
-- index       the slot of today
-- keys        of post_clg_pair, of the deleted posts, and the number of the last key before
--             those of the categories
-- from, to    the cursor before and after the batch
local function add_to_pool(pool, index, pair_key, deleted_key, before, categories, from, to)
  local deleted = {}
  for _, post in ipairs(redis.call("ZRANGEBYSCORE", deleted_key, "(" .. from, to)) do
    deleted[tonumber(post)] = true
  end
  local scored, pairs = {}, {}
  for i = 1, #pool, 3 do
    local category, post = pool[i] + 1, pool[i + 1]
    if not deleted[post] then
      local members = scored[category] or {}
      members[#members + 1] = index
      members[#members + 1] = post
      scored[category] = members
      pairs[#pairs + 1] = post
      pairs[#pairs + 1] = pool[i + 2]
    end
  end
  for category = 1, categories do
    if scored[category] then
      redis.call("ZADD", KEYS[before + category], unpack(scored[category]))
    end
  end
  if #pairs > 0 then
    redis.call("HSET", pair_key, unpack(pairs))
  end
end
