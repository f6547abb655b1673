import { ownOf } from '../../auth/permissions.ts'
import type { Actor } from '../../contract/actor.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { Database } from '../../db/schema/tables.ts'
import { isStudentOf } from '../../db/students/students.ts'
import { attendeeIdsOf } from '../../domain/occupants.ts'

type Booking = {
  readonly instructor_id?: string | undefined
  readonly student_id?: string | null | undefined
  readonly attendees?: readonly { readonly student_id: string }[] | undefined
}

/** Throws `forbidden` if an instructor books for another one, `not_found` for a student whom `instructors_may` excludes. */
export async function requireOwnBooking(
  db: Database,
  actor: Actor,
  { instructor_id, student_id, ...group }: Booking,
): Promise<void> {
  const { own } = ownOf(actor)
  if (own === undefined) return
  if (instructor_id !== undefined && instructor_id !== own) throw new Problem('forbidden')
  if (actor.tenant.instructors_may === 'any_student') return
  for (const id of [...(student_id ? [student_id] : []), ...attendeeIdsOf(group)])
    if (!(await isStudentOf(db, actor.tenant.id, { student_id: id, instructor_id: own }))) throw notFound()
}
