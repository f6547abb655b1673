import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { SPREAD } from '../../src/db/schema/citus.ts'
import type { TestService } from './app.ts'
import type { School } from './factory.ts'
import { groupFields } from './group-fields.ts'

/** Accepted and refused values of a field. A fault points at the field itself unless `at` names a place inside. */
type FieldRule = {
  readonly required?: true
  readonly nullable?: true
  readonly good: readonly unknown[]
  readonly bad: readonly unknown[]
  readonly inside?: readonly (readonly [value: unknown, at: string])[]
}
export type Resource = 'students' | 'instructors' | 'appointments'
export const RESOURCES: readonly Resource[] = ['students', 'instructors', 'appointments']

const notText = [5, true, ['x'], { x: 1 }]
const unholdable = ['a\0b', '\ud800', 'a\udfffb']

function text(least: number, most: number) {
  const tooShort = least > 0 ? ['', '   ', '\t\n'] : []
  const good = [...(least > 0 ? ['x'] : ['']), 'x'.repeat(most), `  ${'x'.repeat(most)}\n`]
  // Lengths count characters: an emoji is one, although UTF-16 needs two units for it.
  return {
    good: [...good, '😀'.repeat(most)],
    bad: [...notText, ...unholdable, ...tooShort, 'x'.repeat(most + 1)],
  }
}

function integer(least: number, most: number) {
  const coercible = [String(least), '', true, false, [least], { x: 1 }]
  return { good: [least, most], bad: [...coercible, least - 1, most + 1, least + 0.5, 1e308] }
}

export const MALFORMED_IDS = [
  '',
  'x',
  '42',
  '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b5',
  '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b511',
  '0197f3c25d4e7a108c1b2f6a9d3e4b51',
  '{0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b51}',
  'urn:uuid:0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b51',
  '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b5g',
  ' 0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b51',
  '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b51\n',
]
const id = { good: [], bad: [...MALFORMED_IDS, ...notText] }

/** Texts that are not dates: no such day, or another format. */
export const NO_DATES = ['', '2026-02-30', '2026-13-01', '2026-00-10', '2026-2-3', '20260203', '03.02.2026']
const dateFaults = [...NO_DATES, '2026-02-03 08:00', '2026-02-03T00:00:00Z', 'now', 'infinity', ...notText]
const date = { good: ['2004-02-29', '1987-12-31'], bad: dateFaults }
const TWICE = randomUUID()
const person = {
  first_name: { required: true, ...text(1, 200) },
  last_name: { required: true, ...text(1, 200) },
  email: {
    nullable: true,
    good: ['a@b', 'lena@school.example', `${'x'.repeat(242)}@example.com`, '  lena@school.example '],
    bad: [...notText, ...unholdable, '', ' ', 'lena', '@b', 'a@', 'a b@c', `${'x'.repeat(243)}@example.com`],
  },
  phone: { nullable: true, ...text(1, 50) },
  phone_2: { nullable: true, ...text(1, 50) },
} as const

const window = { weekday: 1, start: '08:00', end: '17:00' }
const vacation = { start_date: '2026-08-03', end_date: '2026-08-14' }
const absence = { start_at: '2026-08-03 13:00', end_at: '2026-08-03 15:30' }
const notList = ['B', 5, true, { 0: 'B' }]
const noTimes = ['', '8:00', '08:60', '25:00', '08:00:00', '08:00Z', 8, null]

/** The fields that the contract lets a client write, with values inside and outside their ranges. */
export const FIELDS: Readonly<Record<Resource, Readonly<Record<string, FieldRule>>>> = {
  students: {
    ...person,
    birth_date: { nullable: true, ...date },
    address: { nullable: true, ...text(1, 300) },
    license_class_template_id: { nullable: true, ...id },
    preferred_instructor_id: { nullable: true, ...id },
    pickup_place: { nullable: true, ...text(1, 200) },
    language: { nullable: true, good: ['de', 'en', 'tr', 'ar', 'ru'], bad: ['', 'xx', 'DE', 'fr', 1, {}] },
    lessons_per_week: { nullable: true, ...integer(0, 7) },
    notes: { nullable: true, ...text(0, 5000) },
    messages_consent: { good: [true, false], bad: ['true', 1, null, {}] },
    message_channel: { good: ['mail', 'webhook'], bad: ['sms', '', 1, null, ['mail']] },
  },
  instructors: {
    ...person,
    color: {
      good: ['#000000', '#ffFF00'],
      bad: [...notText, '', '000000', '#00000', '#0000000', '#00000g', 'red', '#000000\n'],
    },
    license_classes: {
      good: [[], ['B'], ['B', 'BE', 'A1']],
      bad: notList,
      inside: [
        [[5], '/0'],
        [['B', ''], '/1'],
        [['B', null], '/1'],
      ],
    },
    active: { good: [true, false], bad: ['true', '', 0, 1, [true]] },
    is_trainee: { good: [true, false], bad: ['true', '', 0, 1, [true]] },
    number: { nullable: true, ...text(1, 20) },
    employment: { good: ['employee', 'owner'], bad: ['boss', '', 1, null, ['owner']] },
    max_daily_units: { nullable: true, ...integer(0, 96) },
    max_daily_override: { nullable: true, ...integer(0, 96) },
    max_weekly_units: { nullable: true, ...integer(0, 672) },
    max_weekly_override: { nullable: true, ...integer(0, 672) },
    required_break_minutes: integer(0, 1440),
    max_continuous_minutes: { nullable: true, ...integer(1, 1440) },
    usual_vehicle_id: { nullable: true, ...id },
    location_id: { nullable: true, ...id },
    availability_windows: {
      good: [
        [],
        [window],
        [{ weekday: 7, start: '00:00', end: '24:00' }],
        [window, { ...window, start: '09:00', end: '18:00' }, window],
        Array.from({ length: 100 }, () => window),
      ],
      bad: [...notList, Array.from({ length: 101 }, () => window)],
      inside: [
        [[null], '/0'],
        [[window, []], '/1'],
        [[{ weekday: 1, start: '08:00' }], '/0/end'],
        [[{ ...window, id: 1 }], '/0/id'],
        ...[0, 8, 1.5, '1', null].map((weekday) => [[{ ...window, weekday }], '/0/weekday'] as const),
        ...[...noTimes, '24:00'].map((start) => [[{ ...window, start }], '/0/start'] as const),
        ...[...noTimes, '24:01', '00:00', '08:00', '07:59'].map(
          (end) => [[{ ...window, end }], '/0/end'] as const,
        ),
      ],
    },
    absences: {
      good: [
        [],
        [{ ...absence, note: null }],
        [{ ...absence, end_at: '2026-08-05 12:00', note: 'x'.repeat(5000) }],
        Array.from({ length: 200 }, () => ({ ...absence, note: 'Arzt' })),
      ],
      bad: [...notList, Array.from({ length: 201 }, () => absence)],
      inside: [
        [['2026-08-03 13:00'], '/0'],
        [[{ end_at: '2026-08-03 15:30' }], '/0/start_at'],
        [[{ ...absence, minutes: 3 }], '/0/minutes'],
        [[{ ...absence, note: 'x'.repeat(5001) }], '/0/note'],
        [[absence, { ...absence, end_at: '2026-08-03 13:00' }], '/1/end_at'],
      ],
    },
    vacations: {
      good: [
        [],
        [{ ...vacation, note: null }],
        [{ ...vacation, note: 'x'.repeat(5000) }],
        [{ start_date: '2026-08-03', end_date: '2026-08-03', note: '' }],
        Array.from({ length: 200 }, () => ({ ...vacation, note: 'Sommer' })),
      ],
      bad: [...notList, Array.from({ length: 201 }, () => vacation)],
      inside: [
        [['2026-08-03'], '/0'],
        [[{ end_date: '2026-08-03' }], '/0/start_date'],
        [[{ ...vacation, days: 3 }], '/0/days'],
        [[{ ...vacation, note: 'x'.repeat(5001) }], '/0/note'],
        [[vacation, { ...vacation, end_date: '2026-08-02' }], '/1/end_date'],
        ...[...dateFaults, null].map(
          (start_date) => [[{ ...vacation, start_date }], '/0/start_date'] as const,
        ),
        ...[...dateFaults, null].map((end_date) => [[{ ...vacation, end_date }], '/0/end_date'] as const),
      ],
    },
  },
  appointments: {
    instructor_id: { required: true, ...id },
    student_id: { nullable: true, ...id },
    vehicle_ids: {
      good: [[]],
      bad: [...notList, null, [1, 2, 3, 4].map(() => randomUUID()), [TWICE, TWICE]],
      inside: [...MALFORMED_IDS, 5, null].map((one) => [[one], '/0'] as const),
    },
    ...groupFields(MALFORMED_IDS),
    enrolment_id: { nullable: true, ...id },
    location_id: { nullable: true, ...id },
    lesson_type_id: { required: true, ...id },
    start_at: { required: true, good: [], bad: [...notText, ''] },
    end_at: { required: true, good: [], bad: [...notText, ''] },
    title: text(1, 200),
    status: {
      good: ['planned', 'completed', 'no_show', 'cancelled'],
      bad: [...notText, '', 'Planned', ' planned', 'deleted'],
    },
    pickup_place: { nullable: true, ...text(1, 200) },
    notes: { nullable: true, ...text(0, 5000) },
  },
}

/** Fields that no client may write, and names that are no fields. */
export const UNWRITABLE: Readonly<Record<Resource, readonly string[]>> = {
  students: unwritableWith('user_id', 'license_class'),
  instructors: unwritableWith('user_id', 'max_daily_unit'),
  appointments: unwritableWith('overrides_used', 'cancelled_with_student', 'start'),
}

function unwritableWith(...names: string[]): readonly string[] {
  return ['id', 'tenant_id', 'created_at', 'updated_at', 'deleted_at', 'version', 'role', ...names]
}

/** Returns a maker of bodies that a POST accepts for each resource. No two appointments are at the same time. */
export async function validBodies(school: School): Promise<Record<Resource, () => Record<string, unknown>>> {
  const instructor = await school.instructor()
  let day = 0
  return {
    students: () => ({ first_name: 'Lena', last_name: 'Vogt' }),
    instructors: () => ({ first_name: 'Jonas', last_name: 'Brandt' }),
    appointments: () => {
      const date = new Date(Date.UTC(2030, 0, ++day)).toISOString().slice(0, 10)
      const times = { start_at: `${date} 12:00`, end_at: `${date} 13:00` }
      // Books an exam: no other lesson takes a result.
      return { instructor_id: instructor.id, lesson_type_id: school.lessonTypes.PRACTICAL_EXAM, ...times }
    },
  }
}

const TABLES = [
  ...SPREAD.filter((table) => table !== 'calendars'),
  'tenants',
  'users',
  'mails',
  'webhooks',
  'webhook_deliveries',
] as const

/**
 * Returns a hash of everything that the tenant's users can write, which stays equal while nothing changes. Leaves out
 * calendars, which a lock increments and no user can see.
 */
export async function fingerprint({ db }: TestService, tenantId: string): Promise<string> {
  const hash = createHash('sha256')
  for (const table of TABLES) {
    const key = table === 'tenants' ? 'id' : 'tenant_id'
    const { rows } = await sql<{ rows: string }>`
      select coalesce(string_agg(row::text, chr(10) order by row::text), '') as rows
      from (select to_jsonb(t) as row from ${sql.table(table)} t where ${sql.ref(key)} = ${tenantId}) t`.execute(
      db,
    )
    hash.update(rows[0]?.rows ?? '').update('\0')
  }
  return hash.digest('hex')
}
