import { beforeAll, expect, inject, it } from 'vitest'
import { useService } from '../support/app.ts'
import { anAddress, Client } from '../support/client.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { until } from '../support/process.ts'
import { aLogin, loginOf, statusWith } from '../support/session.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

/** Returns a client for each process, past nginx. */
function clients(): readonly [Client, Client] {
  const [first, second] = inject('front').processes
  return [new Client({ ...service(), url: first }), new Client({ ...service(), url: second })]
}

it('requests are distributed over both processes', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => school.client.get('/lesson-types')))
  const upstreams = new Set(answers.map(({ headers }) => `http://${headers.get('x-upstream')}`))
  expect([...upstreams].toSorted()).toEqual([...inject('front').processes].toSorted())
})

it('a session ended by one process is rejected by it immediately, and then by the other', async () => {
  const { token, refreshToken } = await aLogin(service(), school.tenantId)
  const [here, elsewhere] = clients()
  expect([await statusWith(here, token), await statusWith(elsewhere, token)]).toEqual([200, 200])
  await here.post('/auth/logout', { refresh_token: refreshToken })
  expect(await statusWith(here, token)).toBe(401)
  await until(async () => (await statusWith(elsewhere, token)) === 401)
})

it('a refresh token sent to both processes concurrently is accepted by only one', async () => {
  const { user } = await aLogin(service(), school.tenantId)
  const { refreshToken } = await loginOf(service(), user)
  const [here, elsewhere] = clients()
  const refresh = (client: Client) => client.post('/auth/refresh', { refresh_token: refreshToken })
  const answers = await Promise.all([refresh(here), refresh(elsewhere)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
})

it('failed logins are counted across processes, by the client address that the proxy forwards', async () => {
  const user = await aUser(service(), school.tenantId)
  const from = { 'x-forwarded-for': anAddress() }
  const [here, elsewhere] = clients()
  const front = new Client(service())
  const logIn = async (client: Client, password: string) =>
    (await client.post('/auth/login', { email: user.email, password }, from)).status
  for (const client of [here, elsewhere, front, here, elsewhere, front, here, elsewhere, front, here])
    expect(await logIn(client, 'a wrong one')).toBe(401)
  for (const client of [elsewhere, here, front]) expect(await logIn(client, PASSWORD)).toBe(429)
  const fromElsewhere = { email: user.email, password: PASSWORD }
  expect((await front.post('/auth/login', fromElsewhere)).status).toBe(200)
})
