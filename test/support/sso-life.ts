import type { Life } from './a-life.ts'
import { PASSWORD } from './factory.ts'
import type { Step } from './school-life.ts'

/** Returns the reads of the school's identity provider and of the link to it. */
export function readingSso({ school: { client, tenantId }, phone }: Life): readonly Step[] {
  return [
    ['the provider', () => client.get('/auth/identity-provider')],
    ['the login page', () => client.get(`/auth/sso/${tenantId}`)],
    ['the link', () => phone.get('/auth/identity')],
    ['no link', () => client.get('/auth/identity')],
  ]
}

/** Returns the requests that end the link, and then the provider. */
export function leavingSso(life: Life): readonly Step[] {
  const { phone } = life
  const { client } = life.school
  return [
    ...[client, phone].map((one): Step => ['prove', () => one.post('/auth/proof', { password: PASSWORD })]),
    ['end the link', () => phone.delete('/auth/identity')],
    ['end the provider', () => client.delete('/auth/identity-provider')],
    ...readingSso(life),
  ]
}
