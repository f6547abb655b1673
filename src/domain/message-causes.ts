import { MESSAGE_KINDS, type MessageSettings } from './messages.ts'

type Fields = Readonly<Record<string, unknown>>

type Cause = {
  readonly resource: string
  readonly action: string
  readonly before: Fields | null
  readonly after: Fields | null
}

const ANNOUNCED_FIELDS = [
  'status',
  'start_at',
  'end_at',
  'instructor_id',
  'student_id',
  'attendees',
  'pickup_place',
  'location_id',
] as const
const CONTACT_FIELDS = ['messages_consent', 'message_channel', 'email', 'phone', 'archived_at'] as const

/** Whether a change may cause messages. If a school has all kinds off, only a change of its message settings may. */
export function isMessageCause(
  settings: MessageSettings,
  { resource, action, before, after }: Cause,
): boolean {
  const hasChanged = (names: readonly string[]) => after !== null && names.some((name) => name in after)
  if (resource === 'tenant') return action === 'changed' && hasChanged(['messages'])
  if (!MESSAGE_KINDS.some((kind) => settings[kind])) return false
  if (resource === 'student') return action === 'changed' && hasChanged(CONTACT_FIELDS)
  // The first device is another way to reach the student.
  if (resource === 'student_link') return action === 'changed' && before?.devices === 0
  return resource === 'appointment' && (action !== 'changed' || hasChanged(ANNOUNCED_FIELDS))
}
