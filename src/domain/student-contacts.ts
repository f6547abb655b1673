import { contactChannelOf } from './contact-channel.ts'
import type { ContactChannel } from './message-channels.ts'

export const RELATIONS = ['guardian', 'companion', 'payer', 'other'] as const
export type Relation = (typeof RELATIONS)[number]

/** A person beside a student, such as a parent. */
export type StudentContact = {
  readonly name: string
  readonly relation: Relation
  readonly phone: string | null
  readonly email: string | null
  readonly gets_messages: boolean
}

export type NamedAddress = Pick<StudentContact, 'name' | 'email'>

/** A recipient of mails who may end them: a student, or one of the student's contacts. */
export type UnsubscribingRecipient = {
  readonly tenantId: string
  readonly student_id: string
  readonly contact?: NamedAddress | undefined
}

export type GivenContact = Pick<StudentContact, 'name' | 'relation'> & Partial<StudentContact>

/** Returns a contact as stored; the log compares the order of the fields. */
export function contactOf({ name, relation, ...given }: GivenContact): StudentContact {
  const { phone = null, email = null, gets_messages = false } = given
  return { name, relation, phone, email, gets_messages }
}

/** Returns how a contact gets messages: by mail if there is an address, else through the school's webhook. */
export function channelOfContact({ phone, email }: StudentContact, country: string): ContactChannel {
  return contactChannelOf({ message_channel: email ? 'mail' : 'webhook', email, phone }, country)
}
