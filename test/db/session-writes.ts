import { sql } from 'kysely'
import { totpCode, totpStep } from '../../src/auth/totp.ts'
import type { TestService } from '../support/app.ts'
import { Authenticator } from '../support/authenticator.ts'
import type { Answer, Client } from '../support/client.ts'
import { must } from '../support/client.ts'
import { aUser, PASSWORD, type School } from '../support/factory.ts'
import { newEmail } from '../support/invitations.ts'
import { CLIENT, type TestIssuer } from '../support/issuer.ts'
import { aPasskey, inSession, originOf } from '../support/passkeys.ts'
import { type LoggedIn, loginOf } from '../support/session.ts'
import { begin } from '../support/sso.ts'
import { aTotp } from '../support/totp.ts'

/** An owner's session at a service that is not notified by other processes, and the other parts of a test. */
export type Scene = {
  readonly service: TestService
  readonly school: School
  /** Another school of the same person. */
  readonly otherSchool: School
  readonly user: LoggedIn
  readonly client: Client
  /** The same session at `elsewhere`, the process that ends it. */
  readonly own: Client
  readonly elsewhere: TestService
  readonly issuer: TestIssuer
}

type Send = () => Promise<Answer>
export type Prepare = (scene: Scene) => Promise<Send>

const fileOf = (...lines: readonly string[]) => Buffer.from(lines.join('\n')).toString('base64')
const colleague = ({ elsewhere, school }: Scene) => aUser(elsewhere, school.tenantId, { role: 'office' })
const invited = async ({ school }: Scene) => {
  const given = { email: newEmail(), name: 'Ida', role: 'office' }
  return must(201, await school.client.post('/users', given)).user as { id: string; email: string }
}
/** Deletes all webhooks, because a school may have only a few. */
const dropWebhooks = async ({ school: { client } }: Scene) => {
  const all: { id: string }[] = must(200, await client.get('/webhooks'))
  for (const { id } of all) must(204, await client.delete(`/webhooks/${id}`))
}
const providerOf = ({ url }: TestIssuer) => ({ issuer: url, ...CLIENT, required: false })
/** Logs in at the issuer as a new person. Returns the request that links the user to that person. */
const linking = async (client: Client, issuer: TestIssuer): Promise<Send> => {
  const way = await begin(client, undefined, '/auth/identity/options')
  const parameters = String(issuer.answer(way.url, crypto.randomUUID()))
  return () => client.post('/auth/identity', { parameters }, way.cookie)
}
const webhook = async (scene: Scene): Promise<{ id: string }> => {
  await dropWebhooks(scene)
  return must(201, await scene.school.client.post('/webhooks', { url: 'https://203.0.113.7/' }))
}
const offer = ({ school }: Scene, fields: object) => ({
  start_at: '2099-03-02 08:00',
  end_at: '2099-03-02 09:30',
  lesson_type_id: school.lessonTypes.PRACTICE,
  ...fields,
})
const offered = async (scene: Scene) => {
  const [instructor, student] = [await scene.school.instructor(), await scene.school.student()]
  return offer(scene, { instructor_id: instructor.id, student_ids: [student.id] })
}

/**
 * The writes of users, roles, proofs, links and settings that need a session, by operation and possibly a variant. Each
 * prepares a request and returns a function that sends it.
 */
export const WRITES: Readonly<Record<string, Prepare>> = {
  inviteUser:
    async ({ client }) =>
    () =>
      client.post('/users', { email: newEmail(), name: 'Eve', role: 'owner' }),
  'changeUser with a role': async (scene) => {
    const { id } = await colleague(scene)
    return () => scene.client.patch(`/users/${id}`, { role: 'owner' })
  },
  'changeUser that disables': async (scene) => {
    const { id } = await colleague(scene)
    return () => scene.client.patch(`/users/${id}`, { disabled: true })
  },
  withdrawInvitation: async (scene) => {
    const { id } = await invited(scene)
    return () => scene.client.delete(`/users/${id}`)
  },
  inviteAgain: async (scene) => {
    const { id } = await invited(scene)
    return () => scene.client.post(`/users/${id}/invitation`)
  },
  'inviteAgain with another address': async (scene) => {
    const { id, email } = await invited(scene)
    return () => scene.client.post(`/users/${id}/invitation`, { email: `x${email}` })
  },
  changeUserEmail: async (scene) => {
    const { id } = await colleague(scene)
    return () => scene.client.post(`/users/${id}/email-change`, { email: newEmail() })
  },
  changeOwnEmail:
    async ({ client }) =>
    () =>
      client.post('/auth/email-change', { email: newEmail() }),
  linkToReset: async (scene) => {
    const { id } = await colleague(scene)
    return () => scene.client.post(`/users/${id}/password-reset`)
  },
  changeTenant: async ({ client }) => {
    const phone = crypto.randomUUID().slice(0, 8)
    return () => client.patch('/tenant', { phone })
  },
  changeLessonType: async ({ client, school }) => {
    const name = crypto.randomUUID().slice(0, 8)
    return () => client.patch(`/tenant/lesson-types/${school.lessonTypes.RURAL}`, { name })
  },
  addWebhook: async (scene) => {
    await dropWebhooks(scene)
    return () => scene.client.post('/webhooks', { url: 'https://203.0.113.7/' })
  },
  changeWebhook: async (scene) => {
    const { id } = await webhook(scene)
    return () => scene.client.patch(`/webhooks/${id}`, { url: 'https://203.0.113.8/' })
  },
  deleteWebhook: async (scene) => {
    const { id } = await webhook(scene)
    return () => scene.client.delete(`/webhooks/${id}`)
  },
  replayWebhook: async (scene) => {
    const { id } = await webhook(scene)
    const since = must(200, await scene.own.get('/changes/since')).cursor
    return () => scene.client.post(`/webhooks/${id}/replay`, { since })
  },
  changePassword:
    async ({ client }) =>
    () =>
      client.post('/auth/password', { current_password: PASSWORD, new_password: 'a better horse battery' }),
  addPasskey: async ({ client, own, service }) => {
    const device = new Authenticator(originOf(service))
    const credential = device.register(must(200, await own.post('/auth/passkeys/options')))
    return () => client.post('/auth/passkeys', { name: 'Thief', credential })
  },
  makeApiToken:
    async ({ client }) =>
    () =>
      client.post('/auth/tokens', { name: 'Thief', role: 'owner', scope: 'write', expires_in_days: 366 }),
  endApiToken: async ({ client, own }) => {
    const token = { name: 'Script', role: 'office', scope: 'read', expires_in_days: 1 }
    const { id } = must(201, await own.post('/auth/tokens', token))
    return () => client.delete(`/auth/tokens/${id}`)
  },
  setIdentityProvider:
    async ({ client, issuer }) =>
    () =>
      client.put('/auth/identity-provider', providerOf(issuer)),
  removeIdentityProvider: async ({ client, issuer }) => {
    must(200, await client.put('/auth/identity-provider', providerOf(issuer)))
    return () => client.delete('/auth/identity-provider')
  },
  linkIdentity: async ({ client, issuer }) => {
    must(200, await client.put('/auth/identity-provider', providerOf(issuer)))
    return linking(client, issuer)
  },
  unlinkIdentity: async ({ client, issuer }) => {
    must(200, await client.put('/auth/identity-provider', providerOf(issuer)))
    must(200, await (await linking(client, issuer))())
    return () => client.delete('/auth/identity')
  },
  renamePasskey: async ({ client, user, elsewhere }) => {
    const { id } = await aPasskey(elsewhere, user)
    return () => client.patch(`/auth/passkeys/${id}`, { name: 'Mine' })
  },
  removePasskey: async ({ client, user, elsewhere }) => {
    const { id } = await aPasskey(elsewhere, user)
    return () => client.delete(`/auth/passkeys/${id}`)
  },
  switchSecondFactor: async ({ client, user, elsewhere }) => {
    await aPasskey(elsewhere, user)
    return () => client.patch('/auth/second-factor', { enabled: true })
  },
  addTotp: async ({ client, own }) => {
    const { secret, challenge } = must(200, await own.post('/auth/totp/options'))
    return () => client.post('/auth/totp', { challenge, code: totpCode(secret, totpStep(new Date())) })
  },
  removeTotp: async ({ client, user, elsewhere }) => {
    await aTotp(elsewhere, user)
    elsewhere.setClock(undefined)
    return () => client.delete('/auth/totp')
  },
  makeRecoveryCodes:
    async ({ client }) =>
    () =>
      client.post('/auth/recovery-codes'),
  prove:
    async ({ client }) =>
    () =>
      client.post('/auth/proof', { password: PASSWORD }),
  endSession: async ({ client, user, elsewhere }) => {
    const another = inSession(await loginOf(elsewhere, user.user))
    const sessions: { id: string; is_current: boolean }[] = (await another.get('/auth/sessions')).body
    const id = sessions.find(({ is_current }) => is_current)?.id
    return () => client.delete(`/auth/sessions/${id}`)
  },
  endOtherSessions: async ({ client, user, elsewhere }) => {
    await loginOf(elsewhere, user.user)
    return () => client.delete('/auth/sessions')
  },
  switchSchool:
    async ({ client, otherSchool }) =>
    () =>
      client.post(`/auth/schools/${otherSchool.tenantId}`),
  makeCalendarFeed: async ({ client, school }) => {
    const { id } = await school.instructor()
    return () => client.post(`/instructors/${id}/calendar-feed`, { detail: 'full' })
  },
  endCalendarFeed: async ({ client, school }) => {
    const { id } = await school.instructor()
    must(200, await school.client.post(`/instructors/${id}/calendar-feed`, { detail: 'full' }))
    return () => client.delete(`/instructors/${id}/calendar-feed`)
  },
  makeStudentLink: async ({ client, school }) => {
    const { id } = await school.student()
    return () => client.post(`/students/${id}/link`)
  },
  endStudentLink: async ({ client, school }) => {
    const { id } = await school.student()
    must(200, await school.client.post(`/students/${id}/link`))
    return () => client.delete(`/students/${id}/link`)
  },
  eraseStudent: async ({ client, school }) => {
    const { id } = await school.student()
    return () => client.post(`/students/${id}/erasure`, { reason: 'asked' })
  },
  endRestriction: async ({ client, school }) => {
    const { id } = await school.student({ license_class_template_id: await template(school) })
    must(200, await school.client.post(`/students/${id}/erasure`, { reason: 'asked' }))
    return () => client.delete(`/students/${id}/erasure`)
  },
  setHold: async ({ client, school }) => {
    const { id } = await school.student()
    return () => client.put(`/students/${id}/hold`, { reason: 'Dispute' })
  },
  endHold: async ({ client, school }) => {
    const { id } = await school.student()
    must(200, await school.client.put(`/students/${id}/hold`, { reason: 'Dispute' }))
    return () => client.delete(`/students/${id}/hold`)
  },
  runRetention: async ({ client, school, service }) => {
    const { id } = await school.student()
    await sql`update students set updated_at = '2001-01-01' where id = ${id}`.execute(service.db)
    const { digest } = must(200, await client.get('/retention'))
    return () => client.post('/retention/runs', { digest })
  },
  makeOffer: async (scene) => {
    const body = await offered(scene)
    return () => scene.client.post('/offers', body)
  },
  withdrawOffer: async (scene) => {
    const { id } = must(201, await scene.school.client.post('/offers', await offered(scene)))
    return () => scene.client.delete(`/offers/${id}`)
  },
  undoSet: async ({ client, school }) => {
    const { id } = await school.student()
    const set = (await client.delete(`/students/${id}`)).headers.get('x-request-id')
    return () => client.post(`/changes/sets/${set}/undo`)
  },
  importStudents: async ({ client }) => {
    const file = fileOf('first_name,last_name', `Mia,${crypto.randomUUID()}`)
    return () => client.post('/student-imports', { file })
  },
  importVehicles: async ({ client }) => {
    const file = fileOf('name,kind', `${crypto.randomUUID()},car`)
    return () => client.post('/vehicle-imports', { file })
  },
  importOpeningBalances: async ({ client, school }) => {
    const { id } = await school.student()
    const line = `${id},Lena,Vogt,PRACTICE,6,2026-03-31,Nord`
    const file = fileOf('id,first_name,last_name,lesson_type,units,date,source', line)
    return () => client.post('/opening-balance-imports', { file })
  },
}

async function template({ client }: School): Promise<string> {
  const [first] = must(200, await client.get('/license-class-templates'))
  return first.id
}
