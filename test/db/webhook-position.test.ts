import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { followChanges } from '../../src/db/log/follow-changes.ts'
import { useService } from '../support/app.ts'
import { aSchool } from '../support/factory.ts'
import { connectLockHolder, waitUntilBlockedBy } from './lock-holder.ts'

const service = useService()
let lockHolder: pg.Client
let passerby: pg.Client

beforeAll(async () => {
  ;[lockHolder, passerby] = [await connectLockHolder(), await connectLockHolder()]
})

afterAll(async () => {
  await Promise.all([lockHolder.end(), passerby.end()])
})

it('a webhook follows the log from its own creation even if others commit while it is being added', async () => {
  const school = await aSchool(service())
  await lockHolder.query('begin')
  await lockHolder.query('lock table webhooks')
  const adding = school.client.post('/webhooks', { url: 'https://203.0.113.7/' })
  await waitUntilBlockedBy(lockHolder)
  await passerby.query('select pg_current_xact_id()')
  await lockHolder.query('rollback')
  const { id } = (await adding).body
  const { position } = await service()
    .db.selectFrom('webhooks')
    .select('position')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { json } = await followChanges(service().db, { tenantId: school.tenantId }, position)
  expect(JSON.parse(`[${json}]`)).toMatchObject([{ resource: 'webhook', action: 'created', resource_id: id }])
})
