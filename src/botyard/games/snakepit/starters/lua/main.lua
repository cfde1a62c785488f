-- A bot for Snakepit: the shortest way to the pellet, but never into a corner.
--
-- It is started as `lua main.lua HOST PORT ID`, connects, keeps its own map from what it is told, and answers every `mov`
-- with one letter: r, l, u or d. It needs LuaSocket (on Debian and Ubuntu: lua-socket), as the original's bots do.

local socket = require("socket")

local LETTERS = { "r", "l", "u", "d" }
local STEPS = { r = { 1, 0 }, l = { -1, 0 }, u = { 0, -1 }, d = { 0, 1 } }
local FAR = 1000000

local host, port, own = arg[1], tonumber(arg[2]), tonumber(arg[3])

local width, height = 0, 0
local pellet -- a cell
local snakes = {} -- by id: a list of cells, head first
local moved = {} -- the snakes that moved since the last question: all others are dead

-- A cell is one number, so that it can be the key of a table. They count from 1, 1 at the top left.

local function cell_at(x, y)
  return 1000 * tonumber(y) + tonumber(x)
end

local function beside(cell, letter)
  return cell + STEPS[letter][1] + 1000 * STEPS[letter][2]
end

local function inside(cell)
  local x, y = cell % 1000, cell // 1000
  return x >= 1 and x <= width and y >= 1 and y <= height
end

-- What was told

local hear = {}

function hear.bi(size)
  local w, h = size:match("(%d+),(%d+)")
  width, height = tonumber(w), tonumber(h)
end

function hear.p(place)
  pellet = cell_at(place:match("(%d+),(%d+)"))
end

function hear.si(id, place)
  id = tonumber(id)
  snakes[id] = snakes[id] or {}
  table.insert(snakes[id], cell_at(place:match("(%d+),(%d+)")))
end

function hear.s(id, change)
  local x, y, left_x = change:match("(%d+),(%d+),(-?%d+)")
  id = tonumber(id)
  table.insert(snakes[id], 1, cell_at(x, y))
  if left_x ~= "-1" then table.remove(snakes[id]) end -- otherwise it grows, and its tail stays
  moved[id] = true
end

function hear.ready() end

-- Takes dead snakes off the map: every living snake has moved.
local function bury()
  if next(moved) == nil then return end
  for id in pairs(snakes) do
    if not moved[id] then snakes[id] = nil end
  end
  moved = {}
end

-- What to do

-- Distances from a cell through free ones until so many are found, and how many there are.
local function spread(start, taken, most)
  local found, queue, at = { [start] = 0 }, { start }, 1
  while queue[at] and #queue < most do
    local cell = queue[at]
    for _, letter in ipairs(LETTERS) do
      local there = beside(cell, letter)
      if not found[there] and not taken[there] and inside(there) then
        found[there] = found[cell] + 1
        queue[#queue + 1] = there
      end
    end
    at = at + 1
  end
  return found, #queue
end

-- This is the place to make the bot better: the direction that costs least is taken.
local function decide()
  local body, taken, met = snakes[own], {}, {}
  for id, snake in pairs(snakes) do
    for _, cell in ipairs(snake) do taken[cell] = true end
    for _, letter in ipairs(LETTERS) do
      if id ~= own then met[beside(snake[1], letter)] = true end
    end
  end
  local ways = spread(pellet, taken, FAR)
  local best, least = LETTERS[1], 100 * FAR
  for _, letter in ipairs(LETTERS) do
    local there = beside(body[1], letter)
    local cost = ways[there] or FAR
    if met[there] then cost = cost + 2 * FAR end
    if taken[there] or not inside(there) then
      cost = cost + 20 * FAR
    else
      local _, room = spread(there, taken, #body)
      if room < #body then cost = cost + 5 * FAR end -- nowhere to turn round
    end
    if cost < least then
      best, least = letter, cost
    end
  end
  return best
end

local link = assert(socket.connect(host, port))
link:setoption("tcp-nodelay", true)
while true do
  local line = link:receive("*l")
  if not line or line == "quit" then break end
  local kind, first, second = line:match("^(%S+)%s*(%S*)%s*(%S*)")
  if kind == "mov" then
    bury()
    link:send(decide()) -- one byte, no line end
  elseif hear[kind] then
    hear[kind](first, second)
  end
end
