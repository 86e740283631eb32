-- What wrk runs: sends the requests of a file, in their order, over and over.
local requests, sent = {}, 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for request in file:read("*a"):gmatch("%Z+") do
    requests[#requests + 1] = request
  end
  file:close()
end

function request()
  sent = sent + 1
  return requests[(sent - 1) % #requests + 1]
end

-- The last line of what wrk prints: requests, failures, and in milliseconds the time, p50 and p99.
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  io.write(("\n%d %d %f %f %f\n"):format(summary.requests, failed, summary.duration / 1000,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
