import {
  type ErasureOutcome,
  type ErasureResult,
  eraseStudent,
} from '../../src/booking/students/erase-student.ts'
import { newId } from '../../src/contract/new-id.ts'
import type { TestService } from './app.ts'
import { asOwner } from './as-owner.ts'
import { CANARY } from './canary.ts'
import { anActor, type School } from './factory.ts'

/** The mentions of the student in texts. A twin keeps them, because they do not contain the word that it replaces. */
export const NUMBER = '030 5550145'
const ADDRESS = 'lena@mail.example'

/** The student, the instructor of the student's lessons, and another instructor. */
type Involved = Readonly<Record<'student' | 'instructor' | 'other', string>>

/**
 * Mentions a student everywhere that an erasure reads. A twin replaces `word`. Returns the lesson of the other instructor
 * that mentions the student, as does a vacation of that instructor.
 */
export async function mentionStudent(
  service: TestService,
  school: School,
  { student, instructor, other }: Involved,
  word: string,
): Promise<string> {
  const { client } = school
  await client.patch(`/students/${student}`, { phone: NUMBER, email: ADDRESS })
  // The twin's student has the canary as name: an erasure that reads the names in both schools would remove it here.
  const heir = await school.student({ first_name: 'Eva', notes: `${word}: ${CANARY} ${CANARY}, ${NUMBER}` })
  await leaveLesson(school, { student, instructor, heir: heir.id }, word)
  const day = { start_at: '2031-03-12 10:00', end_at: '2031-03-12 11:30' }
  const lesson = await school.lesson({ instructor_id: other, title: NUMBER, ...day })
  const vacations = [{ start_date: '2031-12-24', end_date: '2031-12-26', note: NUMBER }]
  await client.patch(`/instructors/${other}`, { vacations })
  await putMailAside(service, school.tenantId, word)
  return lesson.id
}

/** Books a lesson with texts from before and after another student takes it over. */
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

/** Queues a mail to the student that will never be sent. */
async function putMailAside({ db }: TestService, tenant_id: string, to_name: string): Promise<void> {
  const mail = { tenant_id, id: newId(), to_address: ADDRESS, to_name, template: 'password_reset' } as const
  const later = { next_attempt_at: new Date('2099-01-01'), worth_until: new Date('2099-01-02') }
  await db
    .insertInto('mails')
    .values({ ...mail, ...later, params: '{}' })
    .execute()
}

/** Erases a student of the school as the owner of the tables, and agrees to every change of a text. */
export async function erase(
  service: TestService,
  tenantId: string,
  student: string,
): Promise<ErasureOutcome> {
  return (await eraseIf(service, tenantId, student, true)).outcome
}

/** Does the same, agreed or not. Also returns the texts to change. */
export async function eraseIf(
  service: TestService,
  tenantId: string,
  student: string,
  isAgreed: boolean,
): Promise<ErasureResult> {
  const actor = await anActor(service, tenantId)
  return asOwner(service, (owner) => eraseStudent(owner, actor, student, { isAgreed }))
}
