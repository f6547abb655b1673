import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findTenant, listTenants } from '../../src/db/school/tenants.ts'
import { useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, aUser, cheapHash } from '../support/factory.ts'
import { bearer } from '../support/session.ts'
import { linesIn, rewrite, rowsIn, writeLines } from '../support/transfer-file.ts'
import { load, useExportedSchool } from './exported-school.ts'

const service = useService()
const { folder, original, school, empty } = useExportedSchool(service)

/** Writes the school's file with new ids of the school, its users and their passkeys. Returns the school's id. */
function renamed(path: string): string {
  const [id, ids] = [randomUUID(), new Map<unknown, string>()]
  rewrite(path, original, (row) => {
    if (row.fahrplan) return { ...row, school: { id, name: 'Other' } }
    if (row.table === 'tenants') return { ...row, id }
    if (row.table === 'users') {
      ids.set(row.id, randomUUID())
      return { ...row, id: ids.get(row.id) }
    }
    if (!('user_id' in row) || !ids.has(row.user_id)) return row
    const mine = { ...row, user_id: ids.get(row.user_id) }
    return row.table === 'passkeys' ? { ...mine, id: randomUUID(), credential_id: randomUUID() } : mine
  })
  return id
}

describe('an invalid school file', () => {
  const last = () => linesIn(original).length
  const middle = () => Math.floor(last() / 2)

  it.each<[string, (path: string) => void, () => string]>([
    [
      'is torn',
      (path) => writeFileSync(path, readFileSync(original).subarray(0, -20)),
      () => 'the file is torn',
    ],
    [
      'ends too early',
      (path) => writeLines(path, linesIn(original).slice(0, 10)),
      () => 'Line 11: the closing line is missing',
    ],
    [
      'ends within a line',
      (path) => writeLines(path, [...linesIn(original).slice(0, 10), '{"table":"app']),
      () => 'Line 11: this is not a JSON object',
    ],
    [
      'has lost a line',
      (path) => writeLines(path, linesIn(original).toSpliced(middle(), 1)),
      () => `Line ${last() - 1}: the SHA-256`,
    ],
    [
      'has one letter changed',
      (path) =>
        writeLines(
          path,
          linesIn(original).map((line) => line.replace('O’Neil', 'O’Neal')),
        ),
      () => `Line ${last()}: the SHA-256`,
    ],
    [
      'has lost a line, but has a matching digest',
      (path) => {
        const lines = linesIn(original)
        writeLines(path, lines.toSpliced(middle(), 1))
        rewrite(path, path, (row) => row)
      },
      () => 'lines of',
    ],
    [
      'continues after its end',
      (path) => writeLines(path, [...linesIn(original), '{}']),
      () => `Line ${last() + 1}: something follows`,
    ],
    [
      'has an unknown field',
      (path) => rewrite(path, original, (row, index) => (index === 3 ? { ...row, salary: 1 } : row)),
      () => 'Line 4: users have no field salary',
    ],
    [
      'lacks a field',
      (path) =>
        rewrite(path, original, ({ email, ...row }, index) => (index === 2 ? row : { email, ...row })),
      () => 'Line 3: the field email is missing',
    ],
    [
      'names a table that is not part of a school',
      (path) => rewrite(path, original, (row, index) => (index === 5 ? { ...row, table: 'mails' } : row)),
      () => 'Line 6: there is no table "mails"',
    ],
    [
      'has a value that the database refuses',
      (path) =>
        rewrite(path, original, (row) =>
          row.table === 'appointments' ? { ...row, end_at: row.start_at } : row,
        ),
      () =>
        `Line ${1 + linesIn(original).findIndex((line) => line.startsWith('{"table":"appointments"'))}: the database refuses it`,
    ],
    [
      'is of a newer format',
      (path) => rewrite(path, original, (row) => (row.fahrplan ? { ...row, format: 2 } : row)),
      () => 'Line 1: the file has the format 2, and this Fahrplan reads 1',
    ],
    [
      'is of a newer schema',
      (path) => rewrite(path, original, (row) => (row.fahrplan ? { ...row, schema: '9999-later' } : row)),
      () => 'Line 1: a newer Fahrplan made the file, with the migration 9999-later',
    ],
    [
      'is not a Fahrplan file',
      (path) => writeLines(path, ['{"a":1}']),
      () => 'Line 1: this is not a Fahrplan file',
    ],
    [
      'is not compressed',
      (path) => writeFileSync(path, 'hello\n'),
      () => 'Line 1: the file is torn or no .gz',
    ],
  ])('that %s is rejected, and nothing is stored', async (name, harm, reason) => {
    const path = join(folder, `${name.replaceAll(/\W/g, '-')}.gz`)
    harm(path)
    await expect(load(path, empty())).rejects.toThrow(reason())
    expect(await listTenants(empty())).toEqual([])
  })
})

describe('the import of a school', () => {
  it('rejects a school that already exists', async () => {
    await expect(load(original, service().db)).rejects.toThrow(
      `(${school().tenantId}) already exists in this database`,
    )
  })

  it('accepts addresses of another school, and its passwords open only the imported school', async () => {
    const id = renamed(join(folder, 'shared.gz'))
    await load(join(folder, 'shared.gz'), service().db)
    const { email } = school().user
    const visitor = new Client(service())
    const hashes = await service().db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(hashes).toHaveLength(2)
    const stored = { password_hash: await cheapHash('chosen by the file') }
    await service().db.updateTable('users').set(stored).where('tenant_id', '=', id).execute()
    const { token } = must(200, await visitor.post('/auth/login', { email, password: 'chosen by the file' }))
    const { body } = await visitor.get('/auth/schools', bearer(token))
    expect(body.map((one: { id: string }) => one.id)).toEqual([id])
  })

  it('rejects users whose addresses already belong to five schools, and lists them all', async () => {
    const users = rowsIn(original)
      .map((line): { table: string; email: string } => JSON.parse(line))
      .filter(({ table }) => table === 'users')
    expect(users).toHaveLength(2)
    const path = join(folder, 'renamed.gz')
    for (const round of [1, 2, 3]) {
      const other = await aSchool(service())
      for (const { email } of users) await aUser(service(), other.tenantId, { email, name: `Round ${round}` })
    }
    const id = renamed(path)
    const emails = users
      .map(({ email }) => `  ${email}`)
      .toSorted()
      .join('\n')
    await expect(load(path, service().db)).rejects.toThrow(`may not belong to more:\n${emails}`)
    expect(await findTenant(service().db, id)).toBeUndefined()
  })

  it('rejects a passkey of a user of another school', async () => {
    const [id, ids] = [randomUUID(), new Map<unknown, string>()]
    const path = join(folder, 'foreign.gz')
    rewrite(path, original, (row) => {
      if (row.fahrplan) return { ...row, school: { id, name: 'Other' } }
      if (row.table === 'tenants') return { ...row, id }
      if (row.table === 'passkeys') return { ...row, id: randomUUID(), credential_id: randomUUID() }
      if (row.table === 'recovery_codes') return { ...row, user_id: ids.get(row.user_id) }
      if (row.table !== 'users') return row
      ids.set(row.id, randomUUID())
      return { ...row, id: ids.get(row.id), email: `${ids.get(row.id)}@school.example` }
    })
    await expect(load(path, service().db)).rejects.toThrow(
      'rows of passkeys that do not belong to its school',
    )
    expect(await findTenant(service().db, id)).toBeUndefined()
  })
  it('rejects a travel time to a location that the school does not have', async () => {
    const [path, nowhere] = [join(folder, 'astray.gz'), randomUUID()]
    rewrite(path, original, (row) =>
      row.table === 'locations' ? { ...row, travel_minutes: { [nowhere]: 5 } } : row,
    )
    await expect(load(path, empty())).rejects.toThrow(`has a travel time to ${nowhere}`)
    expect(await listTenants(empty())).toEqual([])
  })
})
