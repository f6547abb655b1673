/** The channels that a student can choose. */
export const STUDENT_CHANNELS = ['mail', 'webhook'] as const
export type StudentChannel = (typeof STUDENT_CHANNELS)[number]

/** The channels that the service sends on. `push` goes to a student's devices, in place of the chosen channel. */
export const SENT_CHANNELS = [...STUDENT_CHANNELS, 'push'] as const
export type SentChannel = (typeof SENT_CHANNELS)[number]

/** The channels of messages. `call` waits for a person of the school to call, because the student gets no messages. */
export const MESSAGE_CHANNELS = [...SENT_CHANNELS, 'call'] as const
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number]

/** A channel to a person, with the e-mail address or phone number; null if there is none, and for `push`. */
export type ContactChannel = { readonly channel: SentChannel; readonly address: string | null }

/** The channel to a student's devices. Their addresses are stored with the devices. */
export const BY_PUSH: ContactChannel = { channel: 'push', address: null }

export const BY_CALL = { channel: 'call', address: null } as const

/** Returns the channel to the office at its address. */
export const BY_OFFICE = (address: string): ContactChannel => ({ channel: 'mail', address })

export function isReachable({
  channel,
  address,
}: {
  readonly channel: MessageChannel
  readonly address: string | null
}): boolean {
  return channel === 'push' || channel === 'call' || address !== null
}

/** A message to deliver to the school's webhook. */
export type ChannelMessage = {
  readonly id: string
  readonly send_at: Date
  readonly kind: string
  readonly to: string
  readonly name: string
  readonly language: string
  readonly subject: string
  readonly text: string
}

/** A message to deliver to a student's devices. */
export type PushMessage = {
  readonly id: string
  readonly student_id: string
  readonly language: string
  readonly subject: string
  readonly text: string
  /** The part of the student's page that a press on the message opens; null for its beginning. */
  readonly page: 'weeks' | null
  /** The milliseconds for which the message is kept for a device that is off. */
  readonly lifetime: number
}
