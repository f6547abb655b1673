import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()

it('bodies that are too large do not take the service from anybody else', async () => {
  const { client } = await aSchool(service())
  const huge = `{"x":"${'x'.repeat(300 * 1024)}`
  const json = { 'content-type': 'application/json' }
  const asked = Array.from({ length: 30 }, () => [
    client.post('/students', huge, json),
    client.get('/students'),
  ]).flat()
  const answers = await Promise.all(asked)
  const statuses = (offset: number) =>
    answers.flatMap(({ status }, index) => (index % 2 === offset ? [status] : []))
  // The service closes the connection on what it will not read; nginx, still writing, may find no answer on it.
  expect(statuses(0).filter((status) => ![413, 503].includes(status))).toEqual([])
  expect(new Set(statuses(1))).toEqual(new Set([200]))
})
