import { parentPort } from 'node:worker_threads'
import { SMTPServer } from 'smtp-server'

/** A mail server in its own thread, so that it does not delay the measuring client. It accepts and discards every mail. */
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
