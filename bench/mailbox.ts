import { parentPort } from 'node:worker_threads'
import { SMTPServer } from 'smtp-server'

/** A mail server in a thread of its own, so that it does not delay the client that measures. Takes everything, reads nothing. */
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  onData: (stream, _, done) => {
    stream.resume().on('end', () => done())
  },
})
server.on('error', () => undefined)
server.listen(0, '127.0.0.1', () => {
  const address = server.server.address()
  parentPort?.postMessage(typeof address === 'object' ? address?.port : undefined)
})
