import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createUser, disableUser, setPassword } from '../../src/auth/users.ts'
import { useService } from '../support/app.ts'
import { changesOf } from '../support/changes.ts'
import { anActor, aSchool, PASSWORD } from '../support/factory.ts'
import { aLogin, bearer, refreshCookie } from '../support/session.ts'

const service = useService()
const SECRETS = ['the first of all secrets', 'the second of all secrets', 'the third of all secrets']
const [FIRST = '', SECOND = '', THIRD = ''] = SECRETS

it('the log records set passwords and disabled users without any password, hash or token', async () => {
  const { db } = service()
  const school = await aSchool(service())
  const command = await anActor(service(), school.tenantId)
  const email = `${randomUUID()}@school.example`
  const id = (await createUser(db, command, { email, name: 'Ben Office', password: FIRST })) ?? ''
  expect(await createUser(db, command, { email, name: 'Ben Again', password: SECOND })).toBeUndefined()
  await setPassword(db, command, { id, email }, SECOND)
  await disableUser(db, command, id, true)
  await disableUser(db, command, id, true)
  await disableUser(db, command, id, false)
  const { client, token, refreshToken, user } = await aLogin(service(), school.tenantId)
  const renewed = await client.post('/auth/refresh', undefined, refreshCookie(refreshToken))
  const wrong = { current_password: 'no such password', new_password: THIRD }
  expect((await client.post('/auth/password', wrong, bearer(token))).status).not.toBe(204)
  const right = { ...wrong, current_password: PASSWORD }
  const changed = await client.post('/auth/password', right, bearer(token))
  expect(changed.status, changed.text).toBeLessThan(300)

  const changes = await changesOf(school.client, '?resource=user')
  const ofBen = changes.filter(({ resource_id }) => resource_id === id).toReversed()
  expect(ofBen.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
    {
      action: 'created',
      before: null,
      after: { email, name: 'Ben Office', role: 'owner', instructor_id: null },
    },
    { action: 'changed', before: {}, after: { password_set: true } },
    { action: 'changed', before: { disabled: false }, after: { disabled: true } },
    { action: 'changed', before: { disabled: true }, after: { disabled: false } },
  ])
  for (const { actor } of ofBen) expect(actor).toEqual({ kind: 'command', id: null, name: 'test' })
  const [own] = changes.filter(({ resource_id }) => resource_id === user.id)
  expect(own).toMatchObject({
    action: 'changed',
    actor: { kind: 'user', id: user.id },
    after: { password_set: true },
  })

  const { rows } = await sql<{
    row: string
  }>`select c::text as row from changes c where tenant_id = ${school.tenantId}`.execute(db)
  const hashes = await sql<{
    password_hash: string
  }>`select password_hash from users where tenant_id = ${school.tenantId}`.execute(db)
  const log = rows.map(({ row }) => row).join('\n')
  const tokens = [
    token,
    refreshToken,
    renewed.body.token,
    renewed.body.refresh_token,
    changed.body?.token,
    changed.body?.refresh_token,
  ]
  for (const secret of [
    ...SECRETS,
    PASSWORD,
    ...tokens,
    ...hashes.rows.map((one) => one.password_hash),
  ].filter(Boolean))
    expect(log).not.toContain(secret)
  expect(log).not.toMatch(/argon2|password_hash|token_hash|eyJ[A-Za-z0-9]/)
})
