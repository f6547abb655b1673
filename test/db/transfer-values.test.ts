import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listTenants } from '../../src/db/school/tenants.ts'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { PASSWORD } from '../support/factory.ts'
import { linesIn, rewrite } from '../support/transfer-file.ts'
import { load, useExportedSchool } from './exported-school.ts'

const service = useService()
const { folder, original, school, empty } = useExportedSchool(service)

/** Returns a function that sets the same values in each row of a table. */
const all = (table: string, values: object) => (row: Readonly<Record<string, unknown>>) =>
  row.table === table ? { ...row, ...values } : row

const SALT_AND_HASH = '$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const ATTENDEE = { attended: null, student_id: 'abcdefab-0000-7000-8000-000000000000' }
const NESTED = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)

describe('an imported value that the database accepts but the service cannot serve', () => {
  it.each<[table: string, values: Readonly<Record<string, unknown>>]>([
    ['tenants', { timezone: 'Nowhere/Land' }],
    ['tenants', { timezone: '../etc/passwd' }],
    ['tenants', { timezone: 'MET' }],
    ['tenants', { country: 'XX' }],
    ['tenants', { locale: 'de_DE; drop' }],
    ['tenants', { name: '' }],
    ['tenants', { created_at: 'infinity' }],
    ['tenants', { updated_at: '9999-12-31T23:59:59.999999Z' }],
    ['tenants', { updated_at: '2026-02-30T00:00:00.000000Z' }],
    ['tenants', { default_availability_windows: 'none' }],
    ['tenants', { default_availability_windows: [{ weekday: 8, start: '08:00', end: '09:00' }] }],
    ['tenants', { default_availability_windows: [{ weekday: 1, start: '09:00', end: '08:00' }] }],
    ['tenants', { hidden_license_classes: 'D' }],
    ['tenants', { hidden_license_classes: ['D', ''] }],
    ['tenants', { default_max_daily_units: -1 }],
    ['tenants', { default_required_break_minutes: 2_000_000_000 }],
    ['tenants', { version: 2_147_483_647 }],
    ['tenants', { latitude: 91 }],
    ['users', { password_hash: `$argon2id$v=19$m=1048576,t=60,p=1${SALT_AND_HASH}` }],
    ['users', { password_hash: `$argon2id$v=19$m=19456,t=9,p=1${SALT_AND_HASH}` }],
    ['users', { password_hash: `$argon2id$v=19$m=19456,t=2,p=4${SALT_AND_HASH}` }],
    ['users', { password_hash: `$argon2d$v=19$m=19456,t=2,p=1${SALT_AND_HASH}` }],
    ['users', { password_hash: 'none' }],
    ['users', { password_hash: '' }],
    ['users', { email: 'nobody' }],
    ['users', { disabled_at: '-infinity' }],
    ['passkeys', { credential_id: 'not a key' }],
    ['passkeys', { public_key: '\\x' }],
    ['passkeys', { counter: -1 }],
    ['recovery_codes', { used_at: 'infinity' }],
    ['calendars', { version: 2_147_483_647 }],
    ['lesson_types', { color: 'red; background: url(//x)' }],
    ['lesson_types', { default_minutes: 0 }],
    ['license_class_templates', { min_age: 1e30 }],
    ['template_requirements', { required_units: 2_147_483_647 }],
    ['template_requirements', { min_one_block_units: -3 }],
    ['instructors', { color: '' }],
    ['instructors', { license_classes: Array(51).fill('B') }],
    ['instructors', { license_classes: [null] }],
    ['instructors', { max_weekly_units: 673 }],
    ['instructors', { email: 'a b@c' }],
    ['availability_windows', { start: '06:30:59' }],
    ['vacations', { end_date: 'infinity' }],
    ['vacations', { start_date: '1899-12-31' }],
    ['vacations', { note: 'x'.repeat(5001) }],
    ['students', { birth_date: '-infinity' }],
    ['students', { birth_date: '10000-01-01' }],
    ['students', { first_name: 7 }],
    ['students', { last_name: 'x'.repeat(201) }],
    ['students', { notes: 'half a \ud83d' }],
    ['students', { deleted_at: 'infinity' }],
    ['appointments', { start_at: '1999-12-31 08:00', end_at: '1999-12-31 09:00' }],
    ['appointments', { start_at: '2026-03-02 08:00:30' }],
    ['appointments', { title: '' }],
    ['appointments', { overrides_used: ['monthly'] }],
    ['appointments', { version: 0 }],
    ['schedule_requests', { availability_windows: { weekday: 1 } }],
    ['schedule_requests', { windows_before: [{}] }],
    ['appointments', { attendees: [ATTENDEE, ATTENDEE] }],
    ['appointments', { attendees: [{ ...ATTENDEE, student_id: ATTENDEE.student_id.toUpperCase() }] }],
    ['appointments', { license_class: '' }],
    ['changes', { at: 'infinity' }],
    ['changes', { resource: 'secret' }],
    ['changes', { after: 'text' }],
    ['changes', { before: [1] }],
    ['changes', { after: NESTED }],
    ['changes', { after: { notes: 'a\0b' } }],
    ['changes', { actor_name: '' }],
    ['idempotency_keys', { body: 'no JSON' }],
    ['idempotency_keys', { at: 'infinity' }],
    ['idempotency_keys', { request_hash: '\\xab' }],
  ])('in %s is rejected by a one-line error with line and field: %j', async (table, values) => {
    const path = join(folder, 'unservable.gz')
    rewrite(path, original, all(table, values))
    const [field] = Object.keys(values)
    const line = 1 + linesIn(original).findIndex((text) => text.startsWith(`{"table":"${table}"`))
    expect(line).toBeGreaterThan(0)
    const reason = await load(path, empty()).then(
      () => 'loaded',
      (error: Error) => error.message,
    )
    expect(reason).toMatch(new RegExp(`^Line ${line}: ${table}\\.${field} (must|has) [^\\n]+\\.$`))
    expect(await listTenants(empty())).toEqual([])
  })
})

it('an invalid or too expensive stored password hash matches no password', async () => {
  const { email } = school().user
  const stored = await service()
    .db.selectFrom('users')
    .select('password_hash')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const logIn = () => new Client(service()).post('/auth/login', { email, password: PASSWORD })
  const put = (password_hash: string | null) =>
    service().db.updateTable('users').set({ password_hash }).where('email', '=', email).execute()
  for (const harmful of ['none', '', `$argon2id$v=19$m=1048576,t=60,p=1${SALT_AND_HASH}`]) {
    await put(harmful)
    expect((await logIn()).status).toBe(401)
  }
  await put(stored.password_hash)
  expect((await logIn()).status).toBe(200)
})
