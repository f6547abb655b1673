import { expect, it } from 'vitest'
import { readServiceConfig } from '../../src/config.ts'
import { createApp } from '../../src/http/app.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { TEST_ENVIRONMENT } from '../support/environment.ts'
import { aSchool, PASSWORD } from '../support/factory.ts'

const service = useService()

it('a service without the role that owns the tables erases nothing, and says which setting it lacks', async () => {
  const school = await aSchool(service())
  const { client } = school
  const { id } = await school.student({ notes: 'here' })
  must(204, await client.post('/auth/proof', { password: PASSWORD }))
  const { app } = await createApp({
    db: service().db,
    config: readServiceConfig({ ...TEST_ENVIRONMENT, LOG_LEVEL: 'silent' }),
  })
  const answer = await app.inject({
    method: 'POST',
    url: `/api/v1/students/${id}/erasure`,
    headers: client.headers,
    payload: { reason: 'asked' },
  })
  await app.close()
  expect([answer.statusCode, answer.json()]).toMatchObject([409, { code: 'owner_role_needed' }])
  expect(answer.json().detail).toContain('MIGRATION_DATABASE_URL')
  expect(must(200, await client.get(`/students/${id}`)).notes).toBe('here')
})
