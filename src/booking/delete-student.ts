import { cancelFutureAppointmentsOf } from '../db/appointment-sets.ts'
import { lockCalendars } from '../db/calendars/calendar-locks.ts'
import { leaveFutureGroups } from '../db/groups.ts'
import { endLink } from '../db/links.ts'
import { lockStudent, updateStudent } from '../db/students.ts'
import { deletion } from './deletion.ts'

/** Marks a student as deleted and cancels coming lessons. Past ones stay as evidence of hours worked. Throws `not_found` and `stale`. */
export const deleteStudent = deletion(
  async (db, actor, id) => {
    const [, stored] = await Promise.all([
      lockCalendars(db, actor.tenant.id, [id]),
      lockStudent(db, actor.tenant.id, id),
    ])
    return stored
  },
  async (db, actor, stored) => {
    const { id } = stored
    await Promise.all([
      updateStudent(db, actor, { stored, next: { ...stored, deleted: true } }),
      cancelFutureAppointmentsOf(db, actor, id),
      leaveFutureGroups(db, actor, id),
    ])
    await endLink(db, actor, { kind: 'student_link', id })
  },
)
