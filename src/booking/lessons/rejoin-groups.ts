import type { Actor } from '../../contract/actor.ts'
import { Problem } from '../../contract/problem.ts'
import type { StudentRestoration } from '../../contract/student.ts'
import type { StoredAppointment } from '../../db/appointments/appointments.ts'
import { Outdated } from '../../db/connection/transaction.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { isCounted } from '../../domain/counted.ts'
import { localNow } from '../../domain/time-zone.ts'
import { appointmentUpdateFor } from './change-appointment.ts'

/**
 * Gives a restored student the seats again that the deletion took, if the rules allow it, and adds the results to the
 * restoration. The calendars must be locked.
 */
export async function rejoinGroups(
  db: Transaction,
  actor: Actor,
  groups: readonly StoredAppointment[],
  { student, restored, refused }: StudentRestoration,
): Promise<void> {
  const now = localNow(actor.now, actor.tenant.timezone)
  for (const group of groups) {
    const { id, attendees, start_at } = group
    if (group.deleted || !isCounted(group) || attendees.some(({ student_id }) => student_id === student.id))
      continue
    const refusal =
      start_at <= now
        ? { code: 'already_begun', params: { start_at } }
        : await seatRefusal(db, actor, group, student.id)
    if (refusal) refused.push({ appointment_id: id, ...refusal })
    else restored.push(id)
  }
}

type Refusal = Omit<StudentRestoration['refused'][number], 'appointment_id'>

/** Adds a student to a group. Returns the reason if that is not possible. */
async function seatRefusal(
  db: Transaction,
  actor: Actor,
  group: StoredAppointment,
  student_id: string,
): Promise<Refusal | undefined> {
  const change = { attendees: [...group.attendees, { student_id, attended: null }] }
  try {
    const { write } = await appointmentUpdateFor(db, actor, group, { change, isExpected: () => true })
    if (!(await write(db))) throw new Outdated()
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, params = {} } = error.refusals?.[0] ?? error
    return { code, params: { ...params } }
  }
}
