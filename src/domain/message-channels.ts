/** The channels that a student can choose. */
export const STUDENT_CHANNELS = ['mail', 'webhook'] as const
export type StudentChannel = (typeof STUDENT_CHANNELS)[number]

/** The ways on which a message can be sent: `push` to a student's devices, in place of the chosen one. */
export const MESSAGE_CHANNELS = [...STUDENT_CHANNELS, 'push'] as const
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number]

/** The channel to a person, with an e-mail address or a phone number; null if the person has none, and for devices. */
export type ContactChannel = { readonly channel: MessageChannel; readonly address: string | null }

/** The channel to a student's devices, whose addresses stay with them. */
export const BY_PUSH: ContactChannel = { channel: 'push', address: null }

export function contactChannelOf({
  message_channel: channel,
  email,
  phone,
}: {
  readonly message_channel: StudentChannel
  readonly email: string | null
  readonly phone: string | null
}): ContactChannel {
  return { channel, address: channel === 'mail' ? email : phone }
}

export function isReachable({ channel, address }: ContactChannel): boolean {
  return channel === 'push' || address !== null
}

/** A message on its way to a program of the school. */
export type ChannelMessage = {
  readonly id: string
  readonly created_at: Date
  readonly kind: string
  readonly to: string
  readonly name: string
  readonly language: string
  readonly subject: string
  readonly text: string
}

/** A message on its way to the devices of a student. */
export type PushMessage = {
  readonly id: string
  readonly student_id: string
  readonly language: string
  readonly subject: string
  readonly text: string
  /** The milliseconds until a device that is off no longer gets it. */
  readonly lifetime: number
}
