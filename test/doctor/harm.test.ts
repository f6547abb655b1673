import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertAppointments } from '../../src/db/appointment-sets.ts'
import { type FindingCode, isFault } from '../../src/doctor/finding.ts'
import { findingsIn } from '../support/doctor.ts'
import { anActor, aSchool, type School } from '../support/factory.ts'
import { useClinic } from './clinic.ts'

const clinic = useClinic()
const MONDAY = '2041-03-04'

/** A school to which something happens that no request could do. */
type Patient = {
  readonly school: School
  readonly other: School
  readonly instructor: string
  readonly student: string
  readonly lesson: string
}

type Harm = {
  readonly name: string
  readonly code: FindingCode
  readonly resource: string
  /** Does the harm and returns the id of what is to be found. */
  readonly inflict: (patient: Patient) => Promise<string>
}

const HARMS: readonly Harm[] = [
  {
    name: 'two lessons of an instructor overlap',
    code: 'instructor_busy',
    resource: 'appointment',
    inflict: (patient) => smuggle(patient, { start_at: `${MONDAY} 09:00`, student_id: null }),
  },
  {
    name: 'two lessons of a student overlap',
    code: 'student_busy',
    resource: 'appointment',
    inflict: async (patient) => {
      const { id } = await patient.school.instructor()
      return smuggle(patient, { start_at: `${MONDAY} 09:00`, instructor_id: id })
    },
  },
  {
    name: 'a lesson was booked past the daily limit',
    code: 'booked_against_rules',
    resource: 'appointment',
    inflict: (patient) => smuggleInto(patient, { max_daily_units: 1 }),
  },
  {
    name: 'a lesson was booked past the weekly limit',
    code: 'booked_against_rules',
    resource: 'appointment',
    inflict: (patient) => smuggleInto(patient, { max_weekly_units: 1, max_weekly_override: 1 }),
  },
  {
    name: 'a lesson was booked into a vacation',
    code: 'booked_against_rules',
    resource: 'appointment',
    inflict: (patient) =>
      smuggleInto(patient, { vacations: [{ start_date: MONDAY, end_date: MONDAY, note: null }] }),
  },
  {
    name: 'a lesson was booked outside the windows',
    code: 'booked_against_rules',
    resource: 'appointment',
    inflict: (patient) =>
      smuggleInto(patient, { availability_windows: [{ weekday: 1, start: '14:00', end: '18:00' }] }),
  },
  {
    name: 'a lesson was booked with an inactive instructor',
    code: 'booked_against_rules',
    resource: 'appointment',
    inflict: (patient) => smuggleInto(patient, { active: false }),
  },
  {
    name: 'a lesson was booked without the required break',
    code: 'booked_against_rules',
    resource: 'appointment',
    inflict: async (patient) => {
      const { id } = await patient.school.instructor({ required_break_minutes: 30 })
      await patient.school.lesson({ instructor_id: id, ...hour('12:00', '13:00') })
      return smuggle(patient, { instructor_id: id, student_id: null, ...hour('13:10', '14:00') })
    },
  },
  {
    name: 'a lesson was booked into too long a stretch',
    code: 'booked_against_rules',
    resource: 'appointment',
    inflict: async (patient) => {
      const { id } = await patient.school.instructor({ max_continuous_minutes: 90 })
      await patient.school.lesson({ instructor_id: id, ...hour('12:00', '13:00') })
      return smuggle(patient, { instructor_id: id, student_id: null, ...hour('13:00', '14:00') })
    },
  },
  {
    name: 'an override is not noted',
    code: 'override_not_noted',
    resource: 'appointment',
    inflict: (patient) => smuggleInto(patient, { max_daily_units: 1, max_daily_override: 9 }),
  },
  {
    name: 'a lesson lasts longer than a day',
    code: 'time_invalid',
    resource: 'appointment',
    inflict: (patient) => smuggle(patient, { start_at: '2041-04-01 08:00', end_at: '2041-04-02 08:01' }),
  },
  {
    name: 'a lesson ends before it begins',
    code: 'time_invalid',
    resource: 'appointment',
    inflict: (patient) => smuggle(patient, { start_at: '2041-04-01 08:00', end_at: '2041-04-01 07:00' }),
  },
  {
    name: 'a lesson begins between two minutes',
    code: 'time_invalid',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(lesson, sql`update appointments set start_at = start_at + interval '1 s' where id = ${lesson}`),
  },
  {
    name: 'a lesson that stands counts as cancelled with its student',
    code: 'cancelled_with_student_invalid',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(lesson, sql`update appointments set cancelled_with_student = true where id = ${lesson}`),
  },
  {
    name: 'a lesson is with an instructor who is not there',
    code: 'reference_to_nothing',
    resource: 'appointment',
    inflict: (patient) => smuggle(patient, { instructor_id: randomUUID(), student_id: null }),
  },
  {
    name: "a lesson is with another school's instructor",
    code: 'reference_to_other_school',
    resource: 'appointment',
    inflict: async (patient) => {
      const { id } = await patient.other.instructor()
      return smuggle(patient, { instructor_id: id, student_id: null })
    },
  },
  {
    name: "a lesson is another school's lesson type",
    code: 'reference_to_other_school',
    resource: 'appointment',
    inflict: (patient) =>
      smuggle(patient, {
        start_at: '2041-04-01 08:00',
        end_at: '2041-04-01 09:00',
        lesson_type_id: patient.other.lessonTypes.PRACTICE,
      }),
  },
  {
    name: 'a vacation is that of nobody',
    code: 'reference_to_nothing',
    resource: 'vacation',
    inflict: async ({ school: { tenantId } }) => {
      const nobody = randomUUID()
      return change(
        nobody,
        sql`insert into vacations values (${tenantId}, ${nobody}, 0, ${MONDAY}, ${MONDAY}, null)`,
      )
    },
  },
  {
    name: 'a student has no calendar',
    code: 'calendar_missing',
    resource: 'student',
    inflict: ({ student }) => change(student, sql`delete from calendars where id = ${student}`),
  },
  {
    name: 'a calendar is that of nobody',
    code: 'calendar_of_nobody',
    resource: 'calendar',
    inflict: async ({ school: { tenantId } }) => {
      const nobody = randomUUID()
      return change(nobody, sql`insert into calendars values (${tenantId}, ${nobody}, 'instructor')`)
    },
  },
  {
    name: 'a calendar is of another kind than its person',
    code: 'calendar_of_nobody',
    resource: 'calendar',
    inflict: ({ student }) =>
      change(student, sql`update calendars set kind = 'instructor' where id = ${student}`),
  },
  {
    name: 'a lesson is lost',
    code: 'row_missing',
    resource: 'appointment',
    inflict: ({ lesson }) => change(lesson, sql`delete from appointments where id = ${lesson}`),
  },
  {
    name: 'nothing tells of a student',
    code: 'history_missing',
    resource: 'student',
    inflict: ({ student }) => change(student, sql`delete from changes where resource_id = ${student}`),
  },
  {
    name: 'a change is lost from the log',
    code: 'history_gap',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(
        lesson,
        sql`delete from changes where resource_id = ${lesson} and (after ->> 'version')::int = 2`,
      ),
  },
  {
    name: 'a write was not noted',
    code: 'history_gap',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(lesson, sql`update appointments set notes = 'x', version = version + 1 where id = ${lesson}`),
  },
  {
    name: 'a write was lost',
    code: 'history_differs',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(lesson, sql`update appointments set notes = null, version = version - 1 where id = ${lesson}`),
  },
  {
    name: 'a change says that something else was there before',
    code: 'history_contradicts',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(
        lesson,
        sql`update changes set before = (before::jsonb || '{"notes":"other"}')::json
          where resource_id = ${lesson} and (after ->> 'version')::int = 3`,
      ),
  },
  {
    name: 'a field was written beside the log',
    code: 'history_differs',
    resource: 'student',
    inflict: ({ student }) => change(student, sql`update students set phone = '112' where id = ${student}`),
  },
  {
    name: 'a vacation was written beside the log',
    code: 'history_differs',
    resource: 'instructor',
    inflict: ({ school: { tenantId }, instructor }) =>
      change(
        instructor,
        sql`insert into vacations values (${tenantId}, ${instructor}, 0, '2050-01-01', '2050-01-02', null)`,
      ),
  },
  {
    name: 'overrides are noted that the log does not know',
    code: 'history_differs',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(lesson, sql`update appointments set overrides_used = '{daily}' where id = ${lesson}`),
  },
  {
    name: 'a lesson was deleted beside the log',
    code: 'history_differs',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(lesson, sql`update appointments set deleted_at = now() where id = ${lesson}`),
  },
  {
    name: 'the log is out of order',
    code: 'history_out_of_order',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(
        lesson,
        sql`update changes set at = at - interval '1 hour'
          where resource_id = ${lesson} and (after ->> 'version')::int = 3`,
      ),
  },
  {
    name: 'nothing can continue a session',
    code: 'session_without_token',
    resource: 'session',
    inflict: (patient) => ofSession(patient, (id) => sql`delete from refresh_tokens where family_id = ${id}`),
  },
  {
    name: 'two tokens can continue a session',
    code: 'session_with_two_tokens',
    resource: 'session',
    inflict: (patient) =>
      ofSession(
        patient,
        (id) => sql`insert into refresh_tokens (id, family_id, token_hash, expires_at)
          values (gen_random_uuid(), ${id}, sha256(${randomUUID()}::bytea), now() + interval '1 day')`,
      ),
  },
  {
    name: 'a disabled user has a session',
    code: 'session_of_disabled_user',
    resource: 'session',
    inflict: (patient) =>
      ofSession(
        patient,
        (id) => sql`update users set disabled_at = now()
          where id = (select user_id from token_families where id = ${id})`,
      ),
  },
  {
    name: 'a token outlives its session',
    code: 'token_outlives_session',
    resource: 'refresh_token',
    inflict: async (patient) => {
      await ofSession(
        patient,
        (id) => sql`update token_families set revoked_at = now(), revoked_reason = 'logout' where id = ${id}`,
      )
      return tokenOf(patient)
    },
  },
  {
    name: 'a token descends from nothing',
    code: 'token_without_parent',
    resource: 'refresh_token',
    inflict: async (patient) => {
      await ofSession(
        patient,
        (id) => sql`update refresh_tokens set parent_id = gen_random_uuid() where family_id = ${id}`,
      )
      return tokenOf(patient)
    },
  },
]

describe('what no request could have done', () => {
  let healthy: Patient

  beforeAll(async () => {
    const { owner } = clinic()
    for (const [table, name] of LIFTED)
      await sql.raw(`alter table ${table} drop constraint ${name}`).execute(owner)
    await sql`drop index refresh_tokens_one_active`.execute(owner)
    healthy = await aPatient()
  })

  it('is not to be found in a school that only requests have changed', async () => {
    expect(await found(healthy)).toEqual([])
  })

  it.each(HARMS)('is found, and nothing else: $name', async ({ code, resource, inflict }) => {
    const patient = await aPatient()
    const resource_id = await inflict(patient)
    expect(await found(patient)).toEqual([{ code, resource, resource_id }])
    expect(await found(healthy)).toEqual([])
  })

  it('is always a fault', () => {
    expect(HARMS.filter((harm) => !isFault(harm))).toEqual([])
  })

  it('is found where it belongs to no school', async () => {
    const { owner, service } = clinic()
    const [tenantId, id] = [randomUUID(), randomUUID()]
    await sql`insert into calendars values (${tenantId}, ${id}, 'student')`.execute(owner)
    await sql`insert into login_addresses (user_id, address) values (${id}, '192.0.2.1')`.execute(owner)
    const strays = (await findingsIn(service.db)).filter(
      ({ tenant_id, code }) => !tenant_id && code !== 'constraint_missing' && code !== 'index_missing',
    )
    expect(strays).toMatchObject([
      { code: 'school_missing', resource: 'calendars', resource_id: tenantId },
      { code: 'reference_to_nothing', resource: 'login_addresses', resource_id: id },
    ])
  })
})

/** What would keep the harm from being done. Foreign keys do not bind the owner. */
const LIFTED = [
  ['appointments', 'appointments_instructor_busy'],
  ['appointments', 'appointments_student_busy'],
  ['appointments', 'appointments_check'],
  ['appointments', 'appointments_check1'],
] as const

async function aPatient(): Promise<Patient> {
  const { service } = clinic()
  const [school, other] = [await aSchool(service), await aSchool(service)]
  const [{ id: instructor }, { id: student }] = [await school.instructor(), await school.student()]
  const { id: lesson } = await school.lesson({
    instructor_id: instructor,
    student_id: student,
    ...hour('08:30', '10:00'),
  })
  for (const notes of ['Motorway', 'Night']) await school.client.patch(`/appointments/${lesson}`, { notes })
  return { school, other, instructor, student, lesson }
}

/** What the doctor finds in the school. */
async function found({ school: { tenantId } }: Patient) {
  const findings = await findingsIn(clinic().service.db, tenantId)
  return findings
    .filter(({ tenant_id }) => tenant_id === tenantId)
    .map(({ code, resource, resource_id }) => ({ code, resource, resource_id }))
}

async function change(id: string, statement: ReturnType<typeof sql>): Promise<string> {
  const { numAffectedRows } = await statement.execute(clinic().owner)
  expect(numAffectedRows).toBeGreaterThan(0n)
  return id
}

async function ofSession(
  { school: { user } }: Patient,
  statement: (id: string) => ReturnType<typeof sql>,
): Promise<string> {
  const family = await clinic()
    .owner.selectFrom('token_families')
    .select('id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  return change(family.id, statement(family.id))
}

async function tokenOf({ school: { user } }: Patient): Promise<string> {
  const token = await clinic()
    .owner.selectFrom('refresh_tokens')
    .innerJoin('token_families', 'token_families.id', 'family_id')
    .select('refresh_tokens.id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  return token.id
}

/** Stores and notes a lesson as a booking does, without asking the rules; beside the one that stands unless said otherwise. */
async function smuggle(
  { school, instructor, student }: Patient,
  fields: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { owner, service } = clinic()
  const id = randomUUID()
  const lesson = {
    instructor_id: instructor,
    student_id: student,
    lesson_type_id: school.lessonTypes.PRACTICE ?? '',
    ...hour('09:00', '10:30'),
    title: 'Smuggled',
    status: 'planned' as const,
    notes: null,
    overrides_used: [],
    ...fields,
    id,
  }
  const actor = await anActor(service, school.tenantId)
  await owner.transaction().execute((db) => insertAppointments(db as never, actor, [lesson]))
  return id
}

/** The same with an instructor of these rules. */
async function smuggleInto(patient: Patient, rules: Readonly<Record<string, unknown>>): Promise<string> {
  const { id } = await patient.school.instructor(rules)
  return smuggle(patient, { instructor_id: id, ...hour('11:00', '12:30') })
}

function hour(from: string, to: string) {
  return { start_at: `${MONDAY} ${from}`, end_at: `${MONDAY} ${to}` }
}
