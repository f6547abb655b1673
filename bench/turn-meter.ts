import { createServer } from 'node:http'

/**
 * Loaded into a measured service: serves, once per request, the processor time of the event loop's longest turn since the request
 * before, in milliseconds. Turns of less than a millisecond may be counted together.
 */
let longest = 0
let before = process.threadCpuUsage()

setInterval(() => {
  const { user, system } = process.threadCpuUsage(before)
  longest = Math.max(longest, (user + system) / 1000)
  before = process.threadCpuUsage()
}, 1).unref()

createServer((_request, response) => {
  response.end(String(longest))
  longest = 0
})
  .listen(Number(process.env.TURN_METER_PORT), '127.0.0.1')
  .unref()
