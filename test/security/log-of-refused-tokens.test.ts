import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, Client } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { accessCookie, aLogin, bearer } from '../support/session.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

describe('a rejected token', () => {
  afterEach(() => service().setClock(undefined))

  /** Moves the clock to a minute in which no token has been rejected. Returns its time. */
  function newMinute(): Date {
    minutes += 1
    const now = new Date(Date.now() + minutes * 60_000)
    service().setClock(now)
    return now
  }
  let minutes = 0

  function refusalsOf(answer: Answer): readonly Record<string, unknown>[] {
    return service()
      .log(answer)
      .filter(({ event }) => event === 'token_refused')
  }

  it('is logged with the reason, and with its user if the session has ended', async () => {
    newMinute()
    const { client, token, refreshToken, user } = await aLogin(service(), school.tenantId)
    const ip = client.headers['x-forwarded-for']
    const refused = async (headers: Record<string, string>) =>
      refusalsOf(await client.get('/auth/me', headers))
    const facts = { event: 'token_refused', level: 30, token: 'access', ip }

    const forged = `${token.slice(0, -4)}AAAA`
    expect(await refused(bearer(forged))).toEqual([expect.objectContaining({ ...facts, reason: 'invalid' })])
    expect(await refused(accessCookie('x.y.z'))).toEqual([
      expect.objectContaining({ ...facts, reason: 'invalid' }),
    ])
    expect(await refused({})).toEqual([])

    await client.post('/auth/logout', { refresh_token: refreshToken })
    const whose = { tenant_id: school.tenantId, user_id: user.id }
    expect(await refused(bearer(token))).toEqual([
      expect.objectContaining({ ...facts, reason: 'session_ended', ...whose }),
    ])
    service().setClock(new Date(Date.now() + 9 * 60 * 60 * 1000))
    expect(await refused(bearer(token))).toEqual([expect.objectContaining({ ...facts, reason: 'expired' })])

    const refresh = await client.post('/auth/refresh', { refresh_token: 'unknown' })
    expect(refusalsOf(refresh)).toEqual([
      expect.objectContaining({ ...facts, token: 'refresh', reason: 'invalid' }),
    ])
  })

  it('is logged at most 60 times a minute, then with the number of entries left out', async () => {
    newMinute()
    const client = new Client(service())
    const flood = async (count: number) => {
      const answers = await Promise.all(
        Array.from({ length: count }, () => client.get('/auth/me', bearer('x.y.z'))),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
      return answers.flatMap(refusalsOf)
    }
    expect(await flood(100)).toHaveLength(60)
    expect(await flood(5)).toHaveLength(0)
    newMinute()
    const [first, ...others] = await flood(3)
    expect(first).toMatchObject({ unlogged: 45 })
    expect(others).toHaveLength(2)
    for (const line of others) expect(line).not.toHaveProperty('unlogged')
  })
})
