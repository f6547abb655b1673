import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool } from '../support/factory.ts'
import { times } from '../support/races.ts'

const service = useService()
const HUGE = `{"x":"${'x'.repeat(250 * 1024)}`
const JSON_TYPE = { 'content-type': 'application/json' }

/**
 * The service closes the connection on a body that it does not read. nginx, still writing, may then find no response and return
 * 503, but must not treat the process as dead.
 */
it('oversized bodies do not affect concurrent requests', async () => {
  const { client } = await aSchool(service())
  for (const _ of times(12, Number)) {
    const tooLarge = times(25, () => client.post('/students', HUGE + HUGE, JSON_TYPE))
    const reads = times(10, () => client.get('/students'))
    const statuses = (await Promise.all(tooLarge)).map(({ status }) => status)
    expect(statuses.filter((status) => ![413, 503].includes(status))).toEqual([])
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(times(10, () => 200))
  }
})

it('a file of 2 MiB reaches the service', async () => {
  const { client } = await aSchool(service())
  const line = `${'x'.repeat(60)};${'y'.repeat(60)}\n`
  const file = Buffer.from(`Nachname;Vorname\n${line.repeat(17_000)}`).toString('base64')
  const { status, body } = await client.post('/student-imports/check', { file })
  expect([file.length > 2 * 1024 * 1024, status, body.code]).toEqual([true, 400, 'invalid_request'])
})
