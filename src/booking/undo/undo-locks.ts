import type { Actor } from '../../contract/actor.ts'
import {
  listStoredAppointments,
  lockAppointments,
  type StoredAppointment,
} from '../../db/appointments/appointments.ts'
import { lockManyCalendars } from '../../db/calendars/calendar-locks.ts'
import { Outdated } from '../../db/connection/transaction.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { lockLessonTypes } from '../../db/school/lesson-types.ts'
import { listStudentsOfRows } from '../../db/students/rows-of-students.ts'
import { lockStudents } from '../../db/students/student-sets.ts'
import type { StoredStudent } from '../../db/students/students.ts'
import { listStudentsOfWishes } from '../../db/students/wishes.ts'
import { CALENDAR_KINDS, calendarIdsOf, type Occupying } from '../../domain/occupants.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import type { Reversal } from './reversals.ts'
import type { LockedRows } from './undoing.ts'

/** The ids per statement: reading more rows would delay other requests. */
const IDS_A_STATEMENT = 250

/** Locks everything that the reversals write, in the order of a booking: calendars by id, then rows. */
export async function lockForUndo(
  db: Transaction,
  { tenant }: Actor,
  reversals: readonly Reversal[],
  slicer: TimeSlicer,
): Promise<LockedRows> {
  const inParts = partsOf(slicer)
  const ids = (resource: string) => reversals.filter((one) => one.resource === resource).map(({ id }) => id)
  const seen = await inParts(ids('appointment'), (part) => listStoredAppointments(db, tenant.id, part))
  const enrolled = await inParts(ids('enrolment'), (part) =>
    listStudentsOfRows(db, tenant.id, 'enrolments', part),
  )
  const owners = [...CALENDAR_KINDS.flatMap(ids), ...enrolled]
  const places = reversals.map(({ fields }) => fields as Occupying)
  const calendars = new Set([...owners, ...calendarIdsOf([...seen, ...places])])
  await inParts([...calendars], async (part) => {
    await lockManyCalendars(db, tenant.id, part)
    return []
  })
  const lessons = await inParts(ids('appointment'), (part) => lockAppointments(db, tenant.id, part))
  const wishing = await inParts(ids('wish'), (part) => listStudentsOfWishes(db, tenant.id, part))
  const ticked = await inParts(ids('tick'), (part) => listStudentsOfRows(db, tenant.id, 'ticks', part))
  const answering = await inParts(ids('availability'), (part) =>
    listStudentsOfRows(db, tenant.id, 'availability', part),
  )
  const studentIds = new Set([...ids('student'), ...enrolled, ...wishing, ...answering, ...ticked])
  const students = await inParts([...studentIds], (part) => lockStudents(db, tenant.id, part))
  if (ids('lesson_type').length > 0) await lockLessonTypes(db, tenant.id)
  // A lesson that has moved meanwhile needs calendars that are not locked.
  if (!calendarIdsOf(lessons).every((id) => calendars.has(id))) throw new Outdated()
  return { lessons: byId<StoredAppointment>(lessons), students: byId<StoredStudent>(students) }
}

function partsOf(slicer: TimeSlicer) {
  return async <Row>(
    ids: readonly string[],
    read: (part: readonly string[]) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> => {
    const ordered = ids.toSorted()
    const rows: Row[] = []
    for (let at = 0; at < ordered.length; at += IDS_A_STATEMENT) {
      await slicer.pause()
      rows.push(...(await read(ordered.slice(at, at + IDS_A_STATEMENT))))
    }
    return rows
  }
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}
