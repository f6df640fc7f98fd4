-- Refuses a command that the user of an ACL may not run, before anything is written.
local function needs(...)
  if not redis.acl_check_cmd(...) then
    error({ err = "NOPERM this user may not run " .. (...) .. " on a key of this step, of which nothing was done" })
  end
end
