-- Moves map views of visualizations that came after a rename had looked for them. Nobody
-- has the old name any more, or they are somebody else's.
--
-- KEYS[1]  rails:users:{old}   then pairs of user:{old}:… and user:{new}:mapviews:stat_tag:{visualization}
-- ARGV     1, how many keys of visualizations

if redis.call("EXISTS", KEYS[1]) == 1 then
  return
end
for i = 2, #KEYS, 2 do
  if redis.call("EXISTS", KEYS[i]) == 1 then
    redis.call("ZUNIONSTORE", KEYS[i + 1], 2, KEYS[i + 1], KEYS[i])
    redis.call("UNLINK", KEYS[i])
  end
end
