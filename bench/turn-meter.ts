import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/** Serves the processor milliseconds of the event loop's longest turn since the last request; those below 1 ms add up. */
let longest = 0
let before = process.threadCpuUsage()

if (isMainThread) {
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
}
