-- Carries out a plan: checks everything that must hold, then writes everything; nobody can see
-- a state in between. These are its stages, in the order in which they run: each is a file in
-- include/apply/, put in here as text. plan/encode-plan.ts writes what is read here.
--
-- KEYS     every key, in the order in which the stages use them; only the counters of `ids` come
--          directly after the keys of `is-string`, so that one MGET reads both. Last, when there is
--          an operation id: where the operation is remembered. Without one, in a cluster, when a
--          key is written more than once: a key that never exists, see neverKeys in
--          client/call/slot-tag.ts
-- ARGV     parts; one without items is left out. Each is its name, the number of its items, and
--          for each item the words that are listed in the file of its stage. In this order:
--          operation, is-string, is-absent, ids, checks, move-many, move, mset, unlink, commands
-- result   1, or { 1, new ids … }; { 2, answer, replicas, ids … } when the operation was carried
--          out earlier; { 0, position of the key whose check failed, what was found }; { -1,
--          position of the key that should be a set }; { -3 } when another operation has this id;
--          { -4, error } when a write failed after others that stay, because they cannot be put
--          back: instead of an answer, "!" and the error are remembered. Known causes: the user's
--          rights, and a stream that has no ids left
-- errors   ENTITY.COUNTER  a counter does not hold an integer
--
-- Stages are not functions, and a stage creates its own only where they are needed: creating all
-- of them first took a third of the time of a create.

local call = redis.call
local MOST = 2000 -- keys and words that Lua can unpack
local at, k = 1, 0 -- the next word, and the last key that was used

-- Moves on to the items of the next part, if it is this part, and returns their number.
local function enterPart(part)
  if ARGV[at] ~= part then
    return 0
  end
  at = at + 2
  return tonumber(ARGV[at - 1])
end

-- Has it been carried out before?
-- include apply/recall

-- Does everything hold? Nothing is written yet.
-- include apply/check-strings
-- include apply/check-absent
-- include apply/is-number
-- include now-ms
-- include apply/allocate-ids
-- include apply/checks
-- include apply/check-large-sets

-- Writes. Moves between sets come first, because these can be refused and put back.
-- include apply/move
local isPartlyWritten = false -- with more than moves
local isDone, failure = pcall(function()
  if refusal then
    error(refusal)
  end
-- include apply/move-many
-- include apply/raise-counters
-- include apply/mset
-- include apply/unlink
-- include apply/commands
end)

-- What became of it?
-- include apply/put-back
-- include apply/remember
