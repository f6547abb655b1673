/** The ways on which a message can be sent. */
export const MESSAGE_CHANNELS = ['mail', 'webhook'] as const
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number]

/** The channel to a person, with an e-mail address or a phone number; null if the person has none. */
export type Reach = { readonly channel: MessageChannel; readonly address: string | null }

export function reachOf({
  message_channel: channel,
  email,
  phone,
}: {
  readonly message_channel: MessageChannel
  readonly email: string | null
  readonly phone: string | null
}): Reach {
  return { channel, address: channel === 'mail' ? email : phone }
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
