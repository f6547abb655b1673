import { type DestinationStream, pino } from 'pino'

/** The most bytes that are buffered while the log cannot be written; anything beyond that is lost. */
const MOST_WAITING_BYTES = 1024 * 1024

/**
 * Standard output for the log, written a block at a time and at least ten times a second: a write a line costs as much as a query. Where it cannot be written, as on a full disk, the service goes on: lines wait,
 * and standard error says so, once until it can be written again.
 */
export function logOutput(): DestinationStream {
  const output = pino.destination({
    fd: 1,
    sync: false,
    minLength: 4096,
    maxLength: MOST_WAITING_BYTES,
    periodicFlush: 100,
  })
  let isWritable = true
  output.on('write', () => {
    isWritable = true
  })
  output.on('error', (error: Error) => {
    if (isWritable) console.error(`The log cannot be written: ${error.message}`)
    isWritable = false
  })
  // At the end of the process it would retry for ever to write what cannot be written.
  const flushSync = output.flushSync.bind(output)
  output.flushSync = () => {
    if (isWritable) flushSync()
  }
  return output
}
