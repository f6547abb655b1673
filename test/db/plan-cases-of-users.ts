import { aUser, PASSWORD as USERS_PASSWORD } from '../support/factory.ts'
import { accept, anInvitation, newEmail, tokenIn } from '../support/invitations.ts'
import { bearer } from '../support/session.ts'
import type { Case } from './plan-cases.ts'

const PASSWORD = 'staple, correct horse'

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
      return accept(visitor(), token, PASSWORD)
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
      return visitor().post(`/auth/password-resets/${tokenIn(url)}`, { password: PASSWORD })
    },
  },
  {
    name: 'another address of a user',
    status: 200,
    reads: 'users',
    ask: async ({ service, school, forget }) => {
      const { id } = await aUser(service, school.tenantId)
      const login = { email: school.user.email, password: USERS_PASSWORD }
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
