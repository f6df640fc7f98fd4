-- A batch of new posts, together with the cursor (REC-3): into the pool, unless they
-- were deleted since they were read (REC-20), and the days that they add (REC-C10).
--
-- KEYS[1]  rs_param            KEYS[2]  post_clg_pair
-- KEYS[3]  user_contribution   KEYS[4]  keywright:recommender:deleted-posts
-- KEYS[5…] recent_posts_for_category{k}, by the category's code
-- ARGV     how many categories, the run's date, the cursor before, the cursor after,
--          packed (category, post, challenge)…, packed (user, category)…
-- error    RUN.OVERTAKEN  the cursor is elsewhere, or another run has begun

local categories, date, from, to = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]
local pool, days = cmsgpack.unpack(ARGV[5]), cmsgpack.unpack(ARGV[6])

local at = redis.call("HMGET", KEYS[1], "last_run_date", "cursor_post", "day_index")
if at[1] ~= date or (at[2] or "0") ~= from then
  return redis.error_reply("RUN.OVERTAKEN another run has read these records")
end

-- A key of another type fails here, before anything is written: a script is not undone.
redis.call("HLEN", KEYS[2])
redis.call("HLEN", KEYS[3])
for category = 1, categories do
  redis.call("ZCARD", KEYS[4 + category])
end

local function add_to_pool(index)
  local deleted = {}
  for _, post in ipairs(redis.call("ZRANGEBYSCORE", KEYS[4], "(" .. from, to)) do
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
      redis.call("ZADD", KEYS[4 + category], unpack(scored[category]))
    end
  end
  if #pairs > 0 then
    redis.call("HSET", KEYS[2], unpack(pairs))
  end
end

-- A stored value may be shorter than there are categories: the rest is 0. So is anything
-- that is not a number; the others keep their positions.
local function add_days()
  local known, order = {}, {}
  for i = 1, #days, 2 do
    local user, category = days[i], days[i + 1] + 1
    local spent = known[user]
    if not spent then
      spent = {}
      for text in string.gmatch((redis.call("HGET", KEYS[3], user) or "") .. ",", "([^,]*),") do
        spent[#spent + 1] = tonumber(string.match(text, "^%s*(%d+)%s*$") or 0)
      end
      for missing = #spent + 1, categories do
        spent[missing] = 0
      end
      known[user] = spent
      order[#order + 1] = user
    end
    spent[category] = spent[category] + 1
  end
  local written = {}
  for _, user in ipairs(order) do
    written[#written + 1] = user
    written[#written + 1] = table.concat(known[user], ",")
  end
  if #written > 0 then
    redis.call("HSET", KEYS[3], unpack(written))
  end
end

add_to_pool(at[3])
add_days()
redis.call("ZREMRANGEBYSCORE", KEYS[4], "-inf", to)
redis.call("HSET", KEYS[1], "cursor_post", to)
