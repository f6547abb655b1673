import { certainNumber } from './certain-phone.ts'
import type { ContactChannel, StudentChannel } from './message-channels.ts'

/** Returns a student's chosen channel. An uncertain number is no address: the message would go to somebody else. */
export function contactChannelOf(
  {
    message_channel: channel,
    email,
    phone,
  }: {
    readonly message_channel: StudentChannel
    readonly email: string | null
    readonly phone: string | null
  },
  country: string,
): ContactChannel {
  if (channel === 'mail') return { channel, address: email }
  return { channel, address: phone !== null && certainNumber(phone, country) ? phone : null }
}
