import { type DestinationStream, pino } from 'pino'

/** The maximum number of bytes buffered while the log cannot be written. Further lines are lost. */
const MAX_WAITING_BYTES = 1024 * 1024

/**
 * Standard output for the log, written in blocks at least ten times a second: a write per line costs as much as a query. If
 * writing fails, lines are buffered and standard error reports it once.
 */
export function logOutput(): DestinationStream {
  const output = pino.destination({
    fd: 1,
    sync: false,
    minLength: 4096,
    maxLength: MAX_WAITING_BYTES,
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
  // Otherwise it would retry unwritable output forever at exit.
  const flushSync = output.flushSync.bind(output)
  output.flushSync = () => {
    if (isWritable) flushSync()
  }
  return output
}
