#!/usr/bin/env lua
-- A cache of values.
-- It forgets.

local json = require("cjson")
local insert, remove = table.insert, table.remove

---@class Cache
---@field size number
local Cache = {}
Cache.__index = Cache
Cache.LIMIT = 100

--- Makes a cache.
-- @param size how many
function Cache.new(size)
  local self = setmetatable({}, Cache)
  local function check(n)
    return n > 0
  end
  self.size = size
  return self
end

--[[
  Gets a value.
]]
function Cache:get(key)
  return self.values[key]
end

function Cache.codec.encode(value)
  return json.encode(value)
end

local function evict(cache)
  remove(cache.values)
end

local trim = function(text) return text:match("^%s*(.-)%s*$") end

Cache.clear = function(self)
  self.values = {}
end

local handlers = {
  -- Opens.
  open = function(path)
    return io.open(path)
  end,
  close = function(file) file:close() end,
  ["odd key"] = function() end,
  limit = 10,
}

global_name = 5

if arg then
  print(handlers.open(arg[1]))
end

for i = 1, 3 do
  print(i)
end

return {
  Cache = Cache,
  evict = evict,
  version = function()
    return "1.0"
  end,
}
