import { requireSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/problem.ts'
import type { RestorationProgress, StudentRestoration } from '../../contract/student.ts'
import {
  listStoredAppointments,
  lockAppointments,
  type StoredAppointment,
} from '../../db/appointments/appointments.ts'
import {
  listCalendarsOfCancelled,
  lockCancelledWithStudent,
  writeRestored,
} from '../../db/appointments/cancelled-with-student.ts'
import { listGroupsLeft } from '../../db/appointments/groups.ts'
import type { AppointmentUpdate } from '../../db/appointments/write-appointment.ts'
import { lockCalendars } from '../../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction, Outdated } from '../../db/connection/transaction.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { lockStudent, updateStudent } from '../../db/students/students.ts'
import { verdictOn } from '../../domain/booking.ts'
import { calendarIdsOf } from '../../domain/occupants.ts'
import { localNow } from '../../domain/time-zone.ts'
import { enrolledAs } from '../lessons/change-appointment.ts'
import { LessonAgendas } from '../lessons/lesson-agendas.ts'
import { rejoinGroups } from '../lessons/rejoin-groups.ts'
import type { TimeSlicer } from '../time-slicer.ts'

const LESSONS_AT_ONCE = 100

type Course = {
  readonly slicer: TimeSlicer
  readonly report?: ((progress: RestorationProgress) => void) | undefined
}

/**
 * Restores a student and, if the rules allow, each lesson cancelled by the deletion and each seat in a group, in one
 * transaction. A retried transaction reports from the beginning. Throws `not_found`, and `unauthenticated` or `forbidden` if the session ends or its role changes.
 */
export async function restoreStudent(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { slicer, report }: Course,
): Promise<StudentRestoration> {
  const tenantId = actor.tenant.id
  return inTransaction(database, async (db) => {
    const groupsLeft = await listGroupsLeft(db, tenantId, id)
    const seen = await listStoredAppointments(db, tenantId, groupsLeft)
    const others = await listCalendarsOfCancelled(db, tenantId, id)
    const locked = new Set([...others, ...calendarIdsOf(seen), id])
    const [, stored, lessons, groups] = await Promise.all([
      lockCalendars(db, tenantId, [...locked]),
      lockStudent(db, tenantId, id),
      lockCancelledWithStudent(db, tenantId, id),
      lockAppointments(db, tenantId, groupsLeft),
    ])
    if (!stored) throw notFound()
    if (!stored.deleted) return { student: stored, restored: [], refused: [] }
    if (!calendarIdsOf([...lessons, ...groups]).every((one) => locked.has(one))) throw new Outdated()
    const student = await updateStudent(db, actor, { stored, next: { ...stored, deleted: false } })
    const restoration: StudentRestoration = { student, restored: [], refused: [] }
    for (let at = 0; at < lessons.length; at += LESSONS_AT_ONCE) {
      if (at > 0) await requireSession(db, actor)
      const replacements = await checkRestoredLessons(db, actor, lessons.slice(at, at + LESSONS_AT_ONCE), {
        restoration,
        slicer,
      })
      await writeRestored(db, actor, replacements)
      report?.({ checked: Math.min(at + LESSONS_AT_ONCE, lessons.length), total: lessons.length })
    }
    await rejoinGroups(db, actor, groups, restoration)
    return restoration
  })
}

/** Checks lessons of one student by start, each against those accepted before it. Those that have begun stay cancelled. */
async function checkRestoredLessons(
  db: Transaction,
  actor: Actor,
  lessons: readonly StoredAppointment[],
  { restoration, slicer }: { readonly restoration: StudentRestoration; readonly slicer: TimeSlicer },
): Promise<readonly AppointmentUpdate[]> {
  const { restored, refused } = restoration
  const now = localNow(actor.now, actor.tenant.timezone)
  const replacements: AppointmentUpdate[] = lessons
    .filter(({ start_at }) => start_at <= now)
    .map((stored) => ({ stored, next: { ...stored, cancelled_with_student: false } }))
  for (const { next } of replacements)
    refused.push({ appointment_id: next.id, code: 'already_begun', params: { start_at: next.start_at } })
  const coming = lessons.slice(replacements.length)
  if (coming.length === 0) return replacements
  const agendas = await LessonAgendas.load(db, actor, coming, (steps) => slicer.run(steps))
  for (const stored of coming) {
    await slicer.pause()
    const loaded = await agendas.requireAgenda(stored)
    const { refusals, overrides_used } = verdictOn(loaded.proposal, loaded.agenda)
    const [refusal] = refusals
    const own = enrolledAs(actor, stored, { ...stored, cancelled_with_student: false }, loaded)
    const planned = {
      ...own,
      status: 'planned' as const,
      cancellation: null,
      overrides_used: [...overrides_used],
    }
    replacements.push({ stored, next: refusal ? own : planned })
    if (refusal) refused.push({ appointment_id: stored.id, ...refusal })
    else {
      restored.push(stored.id)
      agendas.place(stored, loaded)
    }
  }
  return replacements
}
