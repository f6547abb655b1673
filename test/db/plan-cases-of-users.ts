import { apiTokenOf } from '../support/assistant.ts'
import { type Client, must } from '../support/client.ts'
import { aUser, logIn, PASSWORD } from '../support/factory.ts'
import { accept, anInvitation, newEmail, tokenIn } from '../support/invitations.ts'
import { aPasskey, aSecondFactor, logInWith, secondStepOf } from '../support/passkeys.ts'
import { aLogin, bearer, loginOf } from '../support/session.ts'
import { aPersonAt, enterWith } from '../support/shared-address.ts'
import { aTotp } from '../support/totp.ts'
import type { Case, PlannedOffice } from './plan-cases.ts'

/** The statements about a user's own sessions, passkeys and second factor. */
export const casesOfAccess: readonly Case[] = [
  {
    name: 'the own sessions',
    status: 200,
    reads: 'token_families',
    by: 'token_families_user_id_idx',
    ask: async (office) => (await own(office)).get('/auth/sessions'),
  },
  {
    name: 'the end of one of them',
    status: 204,
    reads: 'token_families',
    ask: async (office) => {
      const client = await own(office)
      const { body } = await client.get('/auth/sessions')
      office.forget()
      return client.delete(`/auth/sessions/${body.at(-1).id}`)
    },
  },
  {
    name: 'the end of all others',
    status: 204,
    reads: 'token_families',
    by: 'token_families_user_id_idx',
    ask: async (office) => (await own(office)).delete('/auth/sessions'),
  },
  {
    name: 'the schools of a login, and the switch to another',
    status: 200,
    reads: 'session_users',
    by: 'session_users_pkey',
    ask: async ({ service, forget }) => {
      const [, other] = await aPersonAt(service, [PASSWORD, PASSWORD])
      const { client } = await enterWith(service, other?.user.email ?? '')
      forget()
      must(200, await client.get('/auth/schools'))
      return client.post(`/auth/schools/${other?.school.tenantId}`)
    },
  },
  {
    name: 'the own passkeys',
    status: 200,
    reads: 'passkeys',
    by: 'passkeys_user_id_idx',
    ask: async (office) => (await own(office)).get('/auth/passkeys'),
  },
  {
    name: 'the API tokens of a user',
    status: 200,
    reads: 'token_families',
    by: 'token_families_user_id_idx',
    ask: async (office) => (await own(office)).get('/auth/tokens'),
  },
  {
    name: 'the first request with an API token',
    status: 200,
    reads: 'token_families',
    by: 'token_families_token_hash_idx',
    ask: async ({ service, school, visitor, forget }) => {
      const token = await apiTokenOf(await aLogin(service, school.tenantId))
      forget()
      return visitor().get('/auth/me', bearer(token))
    },
  },
  {
    name: 'a new passkey, its name, and its end',
    status: 204,
    reads: 'passkeys',
    ask: async ({ service, school, forget }) => {
      const session = await aLogin(service, school.tenantId)
      forget()
      const { id } = await aPasskey(service, session)
      const client = session.client.with(bearer(session.token))
      must(200, await client.patch(`/auth/passkeys/${id}`, { name: 'Phone' }))
      return client.delete(`/auth/passkeys/${id}`)
    },
  },
  {
    name: 'a login with a passkey',
    status: 200,
    reads: 'passkeys',
    by: 'passkeys_credential_id_key',
    ask: async ({ service, school, visitor, forget }) => {
      const { device } = await aPasskey(service, await aLogin(service, school.tenantId))
      forget()
      return logInWith(device, visitor())
    },
  },
  {
    name: 'a login with a recovery code',
    status: 200,
    reads: 'recovery_codes',
    by: 'recovery_codes_pkey',
    ask: async ({ service, school, visitor, forget }) => {
      const session = await aLogin(service, school.tenantId)
      await aSecondFactor(service, session)
      const client = session.client.with(bearer(session.token))
      const { codes } = must(200, await client.post('/auth/recovery-codes'))
      const { challenge } = await secondStepOf(visitor(), session.user)
      forget()
      const recovery_code = { challenge, code: codes[0] }
      return visitor().post('/auth/login/second-factor', { recovery_code })
    },
  },
  {
    name: 'a login with a code of an app',
    status: 200,
    reads: 'totp_secrets',
    by: 'totp_secrets_pkey',
    ask: async ({ service, school, visitor, forget }) => {
      const session = await aLogin(service, school.tenantId)
      const { app } = await aTotp(service, session)
      const code = app.next()
      const { challenge } = await secondStepOf(visitor(), session.user)
      forget()
      const answer = await visitor().post('/auth/login/second-factor', { totp: { challenge, code } })
      service.setClock(undefined)
      return answer
    },
  },
  {
    name: 'a proof',
    status: 204,
    reads: 'token_families',
    ask: async ({ service, school, forget }) => {
      const session = await aLogin(service, school.tenantId)
      const { device } = await aPasskey(service, session)
      const client = session.client.with(bearer(session.token))
      const options = must(200, await client.post('/auth/proof/options'))
      forget()
      return client.post('/auth/proof', { passkey: device.answer(options) })
    },
  },
]

/** Logs in a user who has other sessions and discards the statements recorded so far. Returns the client. */
async function own({ service, school, visitor, forget }: PlannedOffice): Promise<Client> {
  const { user } = await aLogin(service, school.tenantId)
  await loginOf(service, user)
  const { token } = await logIn(visitor(), user.email)
  forget()
  return visitor().with(bearer(token))
}

const NEW_PASSWORD = 'staple, correct horse'

/** The statements about a school's users, and about the links by which they set passwords. */
export const casesOfUsers: readonly Case[] = [
  {
    name: 'the users',
    status: 200,
    reads: 'login_addresses',
    by: 'users_by_name',
    ask: ({ school }) => school.client.get('/users'),
  },
  {
    name: 'a page of the users',
    status: 200,
    reads: 'password_links',
    by: 'users_by_name',
    ask: ({ school }) => school.client.get('/users?limit=10'),
  },
  {
    name: 'an invitation',
    status: 201,
    reads: 'users',
    ask: ({ school }) => school.client.post('/users', { email: newEmail(), name: 'Ida', role: 'office' }),
  },
  {
    name: 'another link for an invited user',
    status: 200,
    reads: 'users',
    ask: async ({ school, forget }) => {
      const { id } = await anInvitation(school)
      forget()
      return school.client.post(`/users/${id}/invitation`)
    },
  },
  {
    name: 'a corrected address of an invited user',
    status: 200,
    reads: 'users',
    ask: async ({ school, forget }) => {
      const { id } = await anInvitation(school)
      forget()
      return school.client.post(`/users/${id}/invitation`, { email: newEmail() })
    },
  },
  {
    name: 'an invitation that is read',
    status: 200,
    reads: 'password_links',
    ask: async ({ school, visitor, forget }) => {
      const { token } = await anInvitation(school)
      forget()
      return visitor().get(`/auth/invitations/${token}`)
    },
  },
  {
    name: 'an invitation that is accepted',
    status: 200,
    reads: 'password_links',
    ask: async ({ school, visitor, forget }) => {
      const { token } = await anInvitation(school)
      forget()
      return accept(visitor(), token, NEW_PASSWORD)
    },
  },
  {
    name: 'a request for a reset',
    status: 202,
    reads: 'login_failures',
    ask: ({ school, visitor }) => visitor().post('/auth/password-resets', { email: school.user.email }),
  },
  {
    name: 'a reset, from the link that an owner makes',
    status: 204,
    reads: 'password_links',
    ask: async ({ service, school, visitor }) => {
      const { id } = await aUser(service, school.tenantId)
      const { url } = (await school.client.post(`/users/${id}/password-reset`)).body
      return visitor().post(`/auth/password-resets/${tokenIn(url)}`, { password: NEW_PASSWORD })
    },
  },
  {
    name: 'another address of a user',
    status: 200,
    reads: 'users',
    ask: async ({ service, school, forget }) => {
      const { id } = await aUser(service, school.tenantId)
      const login = { email: school.user.email, password: PASSWORD }
      const { token } = (await school.client.post('/auth/login', login)).body
      forget()
      return school.client.post(`/users/${id}/email-change`, { email: newEmail() }, bearer(token))
    },
  },
  {
    name: 'an owner who is disabled',
    status: 200,
    reads: 'users',
    ask: async ({ service, school, forget }) => {
      const { id } = await aUser(service, school.tenantId)
      forget()
      return school.client.patch(`/users/${id}`, { disabled: true })
    },
  },
]
