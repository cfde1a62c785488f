-- A bot for Hack-man: fetches the nearest snippet or weapon, and keeps clear of bugs.
--
-- It reads lines from standard input and answers every `action move` with one word on standard output. Whatever you want
-- to print for yourself goes to standard error: io.stderr:write(...).

local WORDS = { "up", "down", "left", "right" }
local STEPS = { up = { 0, -1 }, down = { 0, 1 }, left = { -1, 0 }, right = { 1, 0 } }

local settings = {} -- what `settings KEY VALUE` told
local told = {} -- what `update WHO KEY VALUE` told, as "WHO KEY"

-- The field: cells counted from 0, row by row, each a text of signs (x . C W 0 1 E, often several).

local field = {}

local function read_field()
  field = {}
  local cell = 0
  for signs in told["game field"]:gmatch("[^,]+") do
    field[cell] = signs
    cell = cell + 1
  end
end

local function has(cell, sign)
  return field[cell]:find(sign, 1, true) ~= nil
end

local function find(sign)
  local found = {}
  for cell = 0, #field do
    if has(cell, sign) then found[#found + 1] = cell end
  end
  return found
end

-- The open cells beside a cell, as a list of { word, cell }.
local function beside(cell)
  local width = tonumber(settings.field_width)
  local found = {}
  for _, word in ipairs(WORDS) do
    local x, y = cell % width + STEPS[word][1], cell // width + STEPS[word][2]
    local there = y * width + x
    if x >= 0 and x < width and field[there] and not has(there, "x") then
      found[#found + 1] = { word = word, cell = there }
    end
  end
  return found
end

-- The first word of the shortest way to a cell with something on it, or nil: spreads from all first steps at once.
local function way_to_item(firsts, avoid)
  local queue, seen = {}, {}
  for cell in pairs(avoid) do seen[cell] = true end
  for at, step in ipairs(firsts) do
    queue[at] = step
    seen[step.cell] = true
  end
  local at = 1
  while queue[at] do
    local step = queue[at]
    if has(step.cell, "C") or has(step.cell, "W") then return step.word end
    for _, next in ipairs(beside(step.cell)) do
      if not seen[next.cell] then
        seen[next.cell] = true
        queue[#queue + 1] = { word = step.word, cell = next.cell }
      end
    end
    at = at + 1
  end
end

local function armed(player)
  return told["player" .. player .. " has_weapon"] == "true"
end

-- This is the place to make the bot better.
local function decide()
  read_field()
  local me = settings.your_botid
  local rival = me == "0" and "1" or "0"
  local here = find(me)[1]

  local feared = armed(me) and {} or find("E")
  if armed(rival) then table.insert(feared, find(rival)[1]) end
  local avoid, danger = { [here] = true }, {}
  for _, cell in ipairs(feared) do
    avoid[cell], danger[cell] = true, true
    for _, step in ipairs(beside(cell)) do danger[step.cell] = true end
  end

  local firsts = {}
  for _, step in ipairs(beside(here)) do
    if not danger[step.cell] then firsts[#firsts + 1] = step end
  end
  local word = way_to_item(firsts, avoid)
  if not word and danger[here] and firsts[1] then word = firsts[1].word end
  return word or "pass"
end

for line in io.lines() do
  local kind, first, second, third = line:match("^(%S+)%s+(%S+)%s+(%S+)%s*(%S*)")
  if kind == "settings" then
    settings[first] = second
  elseif kind == "update" then
    told[first .. " " .. second] = third
  elseif kind == "action" then
    print(decide())
    io.stdout:flush() -- without it the answer may never arrive
  end
end
