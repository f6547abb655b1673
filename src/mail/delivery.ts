import { createTransport, type NodemailerError } from 'nodemailer'
import type { ChannelMessage, PushMessage } from '../domain/message-channels.ts'
import type { MailConfig } from './mail-config.ts'
import type { OutgoingMail } from './message.ts'
import type { Sendable } from './message-to-send.ts'

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
const LONGEST_REASON = 300

/** A failed attempt. `isFinal` if a retry would get the same response; `isServer` if other mails would fail, too. */
export type SendFailure = {
  readonly reason: string
  readonly isFinal: boolean
  readonly isServer: boolean
}

/** A function that sends a message to a school's webhook. Resolves with `no_webhook` if it has none. */
export type WebhookSender = (
  tenantId: string,
  message: ChannelMessage,
  signal: AbortSignal,
) => Promise<SendFailure | 'no_webhook' | undefined>

/** A function that sends a message to the devices of a student. Resolves with `no_device` if none is left. */
export type PushSender = (
  tenantId: string,
  message: PushMessage,
  signal: AbortSignal,
) => Promise<SendFailure | 'no_device' | undefined>

export type Transport = (message: OutgoingMail, signal: AbortSignal) => Promise<SendFailure | undefined>

/** The senders of all channels. `mail` is undefined if mail is not set up. */
export type Senders = {
  readonly mail: Transport | undefined
  readonly webhook: WebhookSender
  readonly push: PushSender
}

export async function sendThrough(
  senders: Senders,
  tenantId: string,
  { channel, message }: Sendable,
  signal: AbortSignal,
): Promise<SendFailure | 'no_webhook' | 'no_device' | undefined> {
  switch (channel) {
    case 'mail':
      return senders.mail?.(message, signal)
    case 'webhook':
      return senders.webhook(tenantId, message, signal)
    case 'push':
      return senders.push(tenantId, message, signal)
  }
}

export function transportTo({ host, port, tls, user, password: pass }: MailConfig): Transport {
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user && pass ? { auth: { user, pass } } : {}),
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async (message, signal) => {
    try {
      await transport.sendMail({ ...message, signal })
      return undefined
    } catch (error) {
      return failureOf(error)
    }
  }
}

/** Returns the failure for an error: final if the server permanently rejects recipient or message, or no recipient is valid. */
function failureOf(error: unknown): SendFailure {
  const { command = '', code = '', message = '', responseCode, permanent } = (error ?? {}) as NodemailerError
  const isOfMail = command === 'RCPT TO' || command === 'DATA'
  const isUnsendable = command === 'API' && code === 'EENVELOPE'
  return {
    reason: withoutSecrets(`${code} ${command}: ${message}`),
    isFinal: (isOfMail && permanent === true) || isUnsendable,
    isServer: !((isOfMail && responseCode !== undefined) || isUnsendable),
  }
}

/** Removes addresses and anything as long as a secret: a server's error may quote addresses and links. */
function withoutSecrets(text: string): string {
  const line = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[^\s<>]+/g, (word) => (/.@./.test(word) ? '…' : word))
    .replace(/[\w-]{20,}/g, '…')
  return line.trim().slice(0, LONGEST_REASON)
}
