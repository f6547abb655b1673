import { messagesFor } from '../booking/packs/page-messages.ts'
import { typeNamer } from '../booking/packs/type-names.ts'
import { type CalendarParty, calendarInvitation } from '../calendar/icalendar.ts'
import { studentEntry } from '../calendar/student-entry.ts'
import type { Tenant } from '../contract/tenant.ts'
import { readInvitedLessons } from '../db/calendars/shared-lessons.ts'
import type { Database } from '../db/schema/tables.ts'
import { readLessonTypeNames } from '../db/school/lesson-types.ts'
import type { MessageLesson, NoticeKind } from '../domain/messages.ts'

export type LessonInvitation = {
  readonly method: 'REQUEST' | 'CANCEL'
  readonly filename: string
  readonly content: string
}

type Inviting = {
  readonly kind: NoticeKind
  readonly lessons: readonly MessageLesson[]
  readonly language: string
  readonly attendee: CalendarParty
  readonly now: Date
}

/** The facts of a cancelled lesson that may belong to its new student. */
const NOT_TOLD = { place: null, topic: null, vehicles: null } as const

/** Returns the calendars of a notice by mail, one for each lesson. An erased lesson has none. */
export async function invitationsFor(
  db: Database,
  tenant: Tenant,
  { kind, lessons, language, attendee, now }: Inviting,
): Promise<readonly LessonInvitation[]> {
  const ids = lessons.map(({ appointment_id }) => appointment_id)
  const [rows, types] = await Promise.all([
    readInvitedLessons(db, tenant.id, ids),
    readLessonTypeNames(db, tenant.id),
  ])
  const nameOf = typeNamer({ tenant, types }, language)
  const { name, email, timezone } = tenant
  const method = kind === 'cancelled' ? 'CANCEL' : 'REQUEST'
  const organizer = email === null ? undefined : { name, address: email }
  const head = { method, timezone, locale: language, organizer, attendee } as const
  return lessons.flatMap(({ appointment_id, start_at, end_at }) => {
    const row = rows.get(appointment_id)
    if (!row) return []
    const isCancelled = method === 'CANCEL'
    const facts = { start_at, end_at, isCancelled, changed_at: now.toISOString() }
    const entry = studentEntry(
      { ...row, ...(isCancelled && NOT_TOLD), ...facts, lesson_type: nameOf(row.lesson_type_id) },
      messagesFor(language),
    )
    const filename = `${start_at.replace(' ', '-').replace(':', '')}.ics`
    return [{ method, filename, content: calendarInvitation(entry, head) }]
  })
}
