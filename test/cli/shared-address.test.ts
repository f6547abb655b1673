import { expect, it } from 'vitest'
import { enter, PASSWORD, type Row } from '../support/factory.ts'
import { complaintsOf } from '../support/process.ts'
import { onPostgres } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool, printed, userCreate } from './school.ts'

const sandbox = useSandbox()

it('an address of another school requires --shared-email, and later commands require --tenant', async () => {
  const { tenantId, user } = await makeSchool(sandbox, onPostgres())
  const { tenantId: other } = await makeSchool(sandbox, onPostgres())
  const fails = async (words: readonly string[], named: string) => {
    const exit = await sandbox.run(words, onPostgres(), PASSWORD)
    expect(complaintsOf(exit)).toEqual([expect.stringContaining(named)])
    expect(exit).toMatchObject({ code: 1, out: '' })
  }
  const create = userCreate(other, user.email)
  await fails(create, '--shared-email')
  const shared = [...create, '--shared-email']
  const { id } = await printed<Row>(sandbox, shared, onPostgres(), PASSWORD)
  await fails(shared, `${user.email} is taken`)
  const disable = ['user', 'disable', '--email', user.email, '--json']
  await fails(disable, other)
  const disabled = await printed(sandbox, [...disable, '--tenant', other], onPostgres())
  expect(disabled).toEqual({ id, disabled: true })
  const listed = await printed<Row[]>(sandbox, ['user', 'list', '--json'], onPostgres())
  const named = listed.filter(({ email }) => email === user.email)
  const states = new Map(named.map((one) => [one.tenant_id, one.disabled]))
  expect(states).toEqual(
    new Map([
      [tenantId, false],
      [other, true],
    ]),
  )
  const service = await sandbox.serve(onPostgres())
  const { client } = await enter(service, { tenantId, user })
  expect((await client.get('/auth/schools')).body).toHaveLength(1)
})
