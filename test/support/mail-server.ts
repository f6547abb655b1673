import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { MailConfig } from '../../src/mail/mail-config.ts'

/** A received mail: the recipients of its envelope, its source and its parsed content. */
export type ReceivedMail = {
  readonly recipients: readonly string[]
  readonly source: string
  readonly parsed: ParsedMail
}

/** Returns a refusal with an SMTP response code. */
export function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}

/** A function that accepts a complete mail, or throws a refusal. */
type Judge = (mail: ReceivedMail) => void | Promise<void>

/** A real SMTP server on a port of this machine. */
export type MailServer = {
  readonly config: MailConfig
  readonly url: string
  /** The mails received so far. */
  readonly received: readonly ReceivedMail[]
  /** Waits until the server has accepted `count` mails in total, and returns all. */
  readonly receives: (count: number) => Promise<readonly ReceivedMail[]>
  readonly close: () => Promise<void>
}

/** Starts the server. By default it accepts every mail, without TLS and login. */
export async function startMailServer(
  options: SMTPServerOptions = {},
  judge: Judge = () => undefined,
): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const waiting = new Set<() => void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 0,
    onData: (stream, { envelope }, done) => {
      const take = async () => {
        const source = await buffer(stream)
        const parsed = await simpleParser(source)
        const mail = {
          recipients: envelope.rcptTo.map(({ address }) => address),
          source: String(source),
          parsed,
        }
        await judge(mail)
        received.push(mail)
        for (const look of waiting) look()
      }
      take().then(() => done(), done)
    },
    ...options,
  })
  // Ignore clients that disconnect.
  server.on('error', () => undefined)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.server.address() as AddressInfo
  return {
    config: {
      host: '127.0.0.1',
      port,
      tls: 'none',
      user: undefined,
      password: undefined,
      from: { name: undefined, address: 'noreply@school.example' },
    },
    url: `smtp://127.0.0.1:${port}`,
    received,
    receives: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length < count) return
          waiting.delete(look)
          resolve(received)
        }
        waiting.add(look)
        look()
      }),
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}
