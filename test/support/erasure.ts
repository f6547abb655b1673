import { type Erasure, type ErasureResult, eraseStudent } from '../../src/booking/erase-student.ts'
import { newId } from '../../src/contract/new-id.ts'
import type { TestService } from './app.ts'
import { asOwner } from './as-owner.ts'
import { CANARY } from './canary.ts'
import { anActor, type School } from './factory.ts'

/** The mentions of the student in texts. A twin keeps them, because they contain no word that a twin changes. */
export const NUMBER = '030 5550145'
const ADDRESS = 'lena@mail.example'

/** The student, the instructor of the student's lessons, and one who has none of them. */
type Involved = Readonly<Record<'student' | 'instructor' | 'other', string>>

/**
 * Tells of a student wherever an erasure looks; `word` is what a twin has another one for. Returns the lesson of the other
 * instructor that tells of the student, as a vacation of that instructor does.
 */
export async function tellOf(
  service: TestService,
  school: School,
  { student, instructor, other }: Involved,
  word: string,
): Promise<string> {
  const { client } = school
  await client.patch(`/students/${student}`, { phone: NUMBER, email: ADDRESS })
  // The twin's student has the canary's name: an erasure that reads the names of both would remove it from here.
  const heir = await school.student({ first_name: 'Eva', notes: `${word}: ${CANARY} ${CANARY}, ${NUMBER}` })
  await leaveLesson(school, { student, instructor, heir: heir.id }, word)
  const day = { start_at: '2031-03-12 10:00', end_at: '2031-03-12 11:30' }
  const lesson = await school.lesson({ instructor_id: other, title: NUMBER, ...day })
  const vacations = [{ start_date: '2031-12-24', end_date: '2031-12-26', note: NUMBER }]
  await client.patch(`/instructors/${other}`, { vacations })
  await putMailAside(service, school.tenantId, word)
  return lesson.id
}

/** A lesson that another student takes over: one half was written before that, the other afterwards. */
async function leaveLesson(
  school: School,
  { student, instructor, heir }: Readonly<Record<'student' | 'instructor' | 'heir', string>>,
  word: string,
): Promise<void> {
  const day = { start_at: '2031-03-12 08:00', end_at: '2031-03-12 09:30' }
  const { id } = await school.lesson({ instructor_id: instructor, student_id: student, notes: word, ...day })
  for (const change of [{ practised: word }, { student_id: heir }, { notes: `${word} afterwards` }]) {
    await school.client.patch(`/appointments/${id}`, change)
  }
}

/** A mail to the student that nobody will send. */
async function putMailAside({ db }: TestService, tenant_id: string, to_name: string): Promise<void> {
  const mail = { tenant_id, id: newId(), to_address: ADDRESS, to_name, template: 'password_reset' } as const
  const later = { next_attempt_at: new Date('2099-01-01'), worth_until: new Date('2099-01-02') }
  await db
    .insertInto('mails')
    .values({ ...mail, ...later, params: '{}' })
    .execute()
}

/** Erases a student of the school as the owner of the tables, who has agreed to every change of a text. */
export async function erase(service: TestService, tenantId: string, student: string): Promise<Erasure> {
  return (await eraseIf(service, tenantId, student, true)).outcome
}

/** The same, agreed or not; returns the texts that it changes, too. */
export async function eraseIf(
  service: TestService,
  tenantId: string,
  student: string,
  isAgreed: boolean,
): Promise<ErasureResult> {
  const actor = await anActor(service, tenantId)
  return asOwner(service, (owner) => eraseStudent(owner, actor, student, { isAgreed }))
}
