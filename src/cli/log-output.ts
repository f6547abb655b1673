import { type DestinationStream, pino } from 'pino'

/** The maximum of bytes buffered while the log cannot be written. The rest is lost. */
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
  // At exit, it would otherwise retry for ever what cannot be written.
  const flushSync = output.flushSync.bind(output)
  output.flushSync = () => {
    if (isWritable) flushSync()
  }
  return output
}
