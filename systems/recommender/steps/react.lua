-- The reactions of a batch to do with the users of one shard: what they interacted with, and
-- how often they reacted to each challenge; 0 means not a member (REC-C11).
--
-- KEYS     u × {user}_liked_posts, u × {user}_clgs_preference of the same users
-- ARGV     u, u, n, n × "k,post,challenge,cancelled": of user k; a challenge of 0 is no
--          preference

local users, call = tonumber(ARGV[1]), redis.call

-- A key of another type fails here, before anything is counted: a script is not undone.
for user = 1, users do
  call("SCARD", KEYS[user])
  call("ZCARD", KEYS[users + user])
end
for i = 4, 3 + tonumber(ARGV[3]) do
  local user, post, challenge, cancelled = string.match(ARGV[i], "^(%d+),(%d+),(%d+),(%d)$")
  local liked, preferred = KEYS[tonumber(user)], KEYS[users + tonumber(user)]
  if cancelled == "0" then
    call("SADD", liked, post)
  end
  if challenge ~= "0" then
    if cancelled == "0" then
      call("ZINCRBY", preferred, "1", challenge)
    elseif tonumber(call("ZINCRBY", preferred, "-1", challenge)) <= 0 then
      call("ZREM", preferred, challenge)
    end
  end
end
