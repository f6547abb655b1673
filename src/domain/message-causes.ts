import { type ActionKind, MESSAGE_KINDS, type MessageSettings } from './messages.ts'

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
  { actor_kind, resource, action, before, after }: Cause & { readonly actor_kind: string },
): boolean {
  const hasChanged = (names: readonly string[]) => after !== null && names.some((name) => name in after)
  if (resource === 'tenant') return action === 'changed' && hasChanged(['messages'])
  const isActionTold = settings.student_actions !== 'nobody'
  if (isActionTold && actor_kind === 'student' && actionOf({ resource, action, after })) return true
  if (!MESSAGE_KINDS.some((kind) => settings[kind])) return false
  if (resource === 'student') return action === 'changed' && hasChanged(CONTACT_FIELDS)
  // The first device is another way to reach the student.
  if (resource === 'student_link') return action === 'changed' && before?.devices === 0
  return resource === 'appointment' && (action !== 'changed' || hasChanged(ANNOUNCED_FIELDS))
}

/** Returns the action of a student behind a change; undefined if nobody is told of it. */
export function actionOf({ resource, action, after }: Omit<Cause, 'before'>): ActionKind | undefined {
  if (resource === 'wish') return action === 'created' ? 'student_wish' : undefined
  if (resource !== 'appointment') return undefined
  if (action === 'created') return 'offer_taken'
  if (action !== 'changed' || !after) return undefined
  if (after.status === 'cancelled') return 'student_cancelled'
  if (after.start_at != null) return 'student_moved'
  return after.confirmed_at == null ? undefined : 'student_confirmed'
}
