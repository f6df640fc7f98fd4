/* What is put around the script of a fenced step: it compares the term, removes the records
 * that were applied already, and moves the fence with what the script wrote. */

// On one line, so that line numbers in errors are those of the step's file.
const BEFORE =
  'local kw_fence, kw_ids, kw_name = table.remove(KEYS), cmsgpack.unpack(table.remove(ARGV)), table.remove(ARGV) local kw_at = redis.call("HMGET", kw_fence, "term", kw_name) local kw_term, kw_last, kw_count = tonumber(kw_at[1] or 0), tonumber(kw_at[2] or 0), #kw_ids - 2 if kw_term > kw_ids[1] then return redis.error_reply("FENCE.OVERTAKEN a later run has begun") end if kw_term < kw_ids[1] or kw_last < kw_ids[2] then return redis.error_reply("FENCE.GAP records before these were not applied here") end local kw_done = 0 while kw_done < kw_count and kw_ids[kw_done + 3] <= kw_last do kw_done = kw_done + 1 end if kw_done == kw_count then return 0 end if not redis.acl_check_cmd("HSET", kw_fence, kw_name, "0") then return redis.error_reply("NOPERM this user may not move the fence") end local kw_from = #ARGV - kw_count ARGV[kw_from] = tostring(kw_count - kw_done) for kw_i = 1, kw_done > 0 and kw_count or 0 do ARGV[kw_from + kw_i] = ARGV[kw_from + kw_i + kw_done] end local function kw_step() '
const AFTER = `
end
local kw_reply = kw_step()
if type(kw_reply) == "table" and kw_reply.err then
  return kw_reply
end
redis.call("HSET", kw_fence, kw_name, string.format("%.0f", kw_ids[kw_count + 2]))
return kw_count - kw_done
`

export const fencedScript = (source: string): string => BEFORE + source + AFTER
