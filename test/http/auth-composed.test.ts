import { hash } from '@node-rs/argon2'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, type School } from '../support/factory.ts'
import { aUserWithPassword } from '../support/session.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

const COMPOSED = 'Grüße aus Köln 7'.normalize('NFC')
const DECOMPOSED = COMPOSED.normalize('NFD')

async function statusOf(email: string, password: string): Promise<number> {
  return (await new Client(service()).post('/auth/login', { email, password })).status
}

describe('a password with letters of two forms', () => {
  it.each([
    ['composed', COMPOSED],
    ['decomposed', DECOMPOSED],
  ])('that was set %s is valid in both', async (_, password) => {
    const { email } = await aUserWithPassword(service(), school.tenantId, password)
    expect([await statusOf(email, COMPOSED), await statusOf(email, DECOMPOSED)]).toEqual([200, 200])
    expect(await statusOf(email, COMPOSED.replace('ü', 'u'))).toBe(401)
  })

  it('whose hash is of the decomposed letters stays valid, and is valid composed after a login', async () => {
    const former = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
    const { email } = await aUser(service(), school.tenantId, {
      name: 'Ben',
      hash: hash(DECOMPOSED, former),
    })
    expect(await statusOf(email, COMPOSED)).toBe(401)
    expect(await statusOf(email, DECOMPOSED)).toBe(200)
    expect([await statusOf(email, COMPOSED), await statusOf(email, DECOMPOSED)]).toEqual([200, 200])
  })
})
