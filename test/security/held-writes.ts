import { totpCode, totpStep } from '../../src/auth/totp.ts'
import type { TestService } from '../support/app.ts'
import { Authenticator } from '../support/authenticator.ts'
import type { Client } from '../support/client.ts'
import { must } from '../support/client.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { aPasskey, inSession, originOf } from '../support/passkeys.ts'
import { PLANTED_ISSUER, plantProvider } from '../support/planted-provider.ts'
import { type LoggedIn, loginOf } from '../support/session.ts'

export const NEW_PASSWORD = 'a better horse battery'
const HOUR = { start_at: '2041-05-06 08:00', end_at: '2041-05-06 08:45' }
const FILE = Buffer.from('first_name,last_name\nMia,Busch\n').toString('base64')

/** A school, a user with a session, and the resources that requests refer to. */
export type Scene = {
  readonly school: School
  readonly user: LoggedIn
  readonly client: Client
  readonly ids: Readonly<
    Record<'instructor' | 'student' | 'lesson' | 'colleague' | 'invited' | 'passkey', string>
  >
  readonly credential: unknown
  readonly totp: { readonly secret: string; readonly challenge: string }
}

/** Makes a school and a user with this role who has just logged in. */
export async function aScene(service: () => TestService, role: 'owner' | 'office' = 'owner'): Promise<Scene> {
  const school = await aSchool(service())
  const user = await loginOf(service(), await aUser(service(), school.tenantId, { role }))
  const client = inSession(user)
  const [instructor, student] = [await school.instructor(), await school.student()]
  const booking = { instructor_id: instructor.id, student_id: student.id }
  const lesson = await school.lesson({ ...booking, start_at: '2041-05-07 08:00', end_at: '2041-05-07 08:45' })
  const colleague = await aUser(service(), school.tenantId, { role: 'office' })
  const email = `${crypto.randomUUID()}@school.example`
  const { user: invited } = must(
    201,
    await school.client.post('/users', { email, name: 'Ida', role: 'office' }),
  )
  await plantProvider(service(), school.tenantId, user.user.id)
  const { id: passkey } = await aPasskey(service(), user)
  const options = must(200, await client.post('/auth/passkeys/options'))
  const totp = must(200, await client.post('/auth/totp/options'))
  const credential = new Authenticator(originOf(service())).register(options)
  const people = { instructor: instructor.id, student: student.id, colleague: colleague.id }
  return {
    school,
    user,
    client,
    ids: { ...people, lesson: lesson.id, invited: invited.id, passkey },
    credential,
    totp,
  }
}

type Ask = (scene: Scene) => readonly [method: string, path: string, body: unknown]

/** The writes with a body to hold back, which is empty if none is needed. */
export const WRITES: Readonly<Record<string, Ask>> = {
  'invite an owner': () => [
    'POST',
    '/users',
    { email: `${crypto.randomUUID()}@x.example`, name: 'Eve', role: 'owner' },
  ],
  'promote a colleague': ({ ids }) => ['PATCH', `/users/${ids.colleague}`, { role: 'owner' }],
  'invite again': ({ ids }) => ['POST', `/users/${ids.invited}/invitation`, {}],
  'correct an invited address': ({ ids }) => [
    'POST',
    `/users/${ids.invited}/invitation`,
    { email: `${crypto.randomUUID()}@x.example` },
  ],
  'change a colleague’s address': ({ ids }) => [
    'POST',
    `/users/${ids.colleague}/email-change`,
    { email: `${crypto.randomUUID()}@x.example` },
  ],
  'change the own address': () => [
    'POST',
    '/auth/email-change',
    { email: `${crypto.randomUUID()}@x.example` },
  ],
  'make a link to reset': ({ ids }) => ['POST', `/users/${ids.colleague}/password-reset`, {}],
  'change a lesson type': ({ school }) => [
    'PATCH',
    `/tenant/lesson-types/${school.lessonTypes.RURAL}`,
    { name: 'Late' },
  ],
  'change the settings': () => ['PATCH', '/tenant', { name: 'Taken over' }],
  'change the password': () => [
    'POST',
    '/auth/password',
    { current_password: PASSWORD, new_password: NEW_PASSWORD },
  ],
  'add a passkey': ({ credential }) => ['POST', '/auth/passkeys', { name: 'Thief', credential }],
  'rename a passkey': ({ ids }) => ['PATCH', `/auth/passkeys/${ids.passkey}`, { name: 'Mine' }],
  'remove a passkey': ({ ids }) => ['DELETE', `/auth/passkeys/${ids.passkey}`, {}],
  'ask for a second factor': () => ['PATCH', '/auth/second-factor', { enabled: true }],
  'set up an authenticator app': ({ totp: { secret, challenge } }) => [
    'POST',
    '/auth/totp',
    { challenge, code: totpCode(secret, totpStep(new Date())) },
  ],
  'make recovery codes': () => ['POST', '/auth/recovery-codes', {}],
  'prove by password': () => ['POST', '/auth/proof', { password: PASSWORD }],
  'set an identity provider': () => [
    'PUT',
    '/auth/identity-provider',
    { issuer: PLANTED_ISSUER, client_id: 'fahrplan', required: false },
  ],
  'remove the identity provider': () => ['DELETE', '/auth/identity-provider', {}],
  'link to a person': () => ['POST', '/auth/identity', { parameters: 'code=1&state=link.1' }],
  'end the link to a person': () => ['DELETE', '/auth/identity', {}],
  'make a feed': ({ ids }) => ['POST', `/instructors/${ids.instructor}/calendar-feed`, { detail: 'full' }],
  'make a student’s link': ({ ids }) => ['POST', `/students/${ids.student}/link`, {}],
  'enrol a student': () => ['POST', '/students', { first_name: 'Eve', last_name: 'Late' }],
  'import students': () => ['POST', '/student-imports', { file: FILE }],
  'change a student': ({ ids }) => ['PATCH', `/students/${ids.student}`, { phone: '1' }],
  'delete a student': ({ ids }) => ['DELETE', `/students/${ids.student}`, {}],
  'hire an instructor': () => ['POST', '/instructors', { first_name: 'Eve', last_name: 'Late' }],
  'change an instructor': ({ ids }) => ['PATCH', `/instructors/${ids.instructor}`, { phone: '1' }],
  'book a lesson': ({ school, ids }) => ['POST', '/appointments', lessonOf(school, ids)],
  'book a series': ({ school, ids }) => [
    'POST',
    '/appointments/series',
    { appointment: lessonOf(school, ids), repeat: { every_weeks: 1, count: 3 } },
  ],
  'book a batch': ({ school, ids }) => [
    'POST',
    '/appointments/batch',
    { appointments: [lessonOf(school, ids)] },
  ],
  'move a lesson': ({ ids }) => ['PATCH', `/appointments/${ids.lesson}`, HOUR],
  'delete a lesson': ({ ids }) => ['DELETE', `/appointments/${ids.lesson}`, {}],
  'ask the office': ({ ids }) => [
    'POST',
    '/schedule-requests',
    { instructor_id: ids.instructor, availability_windows: [] },
  ],
}

function lessonOf({ lessonTypes }: School, { instructor, student }: Scene['ids']) {
  return { instructor_id: instructor, student_id: student, lesson_type_id: lessonTypes.PRACTICE, ...HOUR }
}
