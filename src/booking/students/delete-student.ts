import type { Actor } from '../../contract/actor.ts'
import { cancelFutureAppointmentsOf } from '../../db/appointments/appointment-sets.ts'
import { leaveFutureGroups } from '../../db/appointments/groups.ts'
import { lockCalendars } from '../../db/calendars/calendar-locks.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { endLink } from '../../db/students/links.ts'
import { lockStudent, type StoredStudent, updateStudent } from '../../db/students/students.ts'
import { deletion } from '../deletion.ts'
import { TimeSlicer } from '../time-slicer.ts'

/** Marks a student as deleted and cancels coming lessons. Past ones stay as evidence of hours worked. Throws `not_found` and `stale`. */
export const deleteStudent = deletion(async (db, actor, id) => {
  const [, stored] = await Promise.all([
    lockCalendars(db, actor.tenant.id, [id]),
    lockStudent(db, actor.tenant.id, id),
  ])
  return stored
}, hideStudent)

/** Hides a locked student, cancels the coming lessons and ends the link. */
export async function hideStudent(db: Transaction, actor: Actor, stored: StoredStudent): Promise<void> {
  const { id } = stored
  const slicer = new TimeSlicer()
  await Promise.all([
    updateStudent(db, actor, { stored, next: { ...stored, deleted: true } }),
    cancelFutureAppointmentsOf(db, actor, { student_id: id, run: (steps) => slicer.run(steps) }),
    leaveFutureGroups(db, actor, id),
  ])
  await endLink(db, actor, { kind: 'student_link', id })
}
