import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertAppointments } from '../../src/db/appointments/appointment-sets.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { insertRow } from '../../src/db/resource-rows.ts'
import { LOCATIONS } from '../../src/db/school/locations.ts'
import { type FindingCode, isFault } from '../../src/doctor/finding.ts'
import { APPOINTMENT_FIELDS } from '../../src/domain/appointment-fields.ts'
import { blankOf } from '../../src/domain/fields.ts'
import { findingsIn } from '../support/doctor.ts'
import { anActor, aSchool, type School } from '../support/factory.ts'
import { type Clinic, useClinic } from './clinic.ts'

export const MONDAY = '2041-03-04'

/** A school whose rows are damaged in a way that no request could. */
export type Patient = {
  readonly school: School
  readonly other: School
  readonly instructor: string
  readonly student: string
  readonly lesson: string
}

export type Harm = {
  readonly name: string
  readonly code: FindingCode
  readonly resource: string
  /** Does the damage and returns the id of the resource to report. */
  readonly inflict: (patient: Patient) => Promise<string>
}

/** The clinic of the running file. */
let clinic: () => Clinic

/** Defines tests that the doctor reports each damage, and nothing else, in the damaged school only. */
export function testHarms(harms: readonly Harm[]): () => Clinic {
  clinic = useClinic()
  let healthy: Patient

  beforeAll(async () => {
    const { owner } = clinic()
    for (const [table, name] of LIFTED)
      await sql.raw(`alter table ${table} drop constraint ${name}`).execute(owner)
    await sql`drop index refresh_tokens_one_active`.execute(owner)
    healthy = await aPatient()
  })

  describe('the doctor', () => {
    it('reports nothing in a school that only requests have changed', async () => {
      expect(await found(healthy)).toEqual([])
    })

    it.each(harms)('reports that $name, and nothing else', async ({ code, resource, inflict }) => {
      const patient = await aPatient()
      const resource_id = await inflict(patient)
      expect(await found(patient)).toEqual([{ code, resource, resource_id }])
      expect(await found(healthy)).toEqual([])
    })

    it('classifies each of these findings as a fault', () => {
      expect(harms.filter((harm) => !isFault(harm))).toEqual([])
    })
  })
  return clinic
}

/** The constraints to drop, which would prevent the damage. The owner bypasses foreign keys. */
const LIFTED = [
  ['appointments', 'appointments_instructor_busy'],
  ['appointments', 'appointments_student_busy'],
  ['appointments', 'appointments_cancellation_check'],
  ['appointments', 'appointments_check'],
  ['appointments', 'appointments_check1'],
] as const

/** Returns a new school with a lesson, undamaged. */
export async function aPatient(): Promise<Patient> {
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

/** Returns the doctor's findings in one school. */
export async function found({ school: { tenantId } }: Pick<Patient, 'school'>) {
  const findings = await findingsIn(clinic().service.db, tenantId)
  return findings
    .filter(({ tenant_id }) => tenant_id !== null)
    .map(({ code, resource, resource_id }) => ({ code, resource, resource_id }))
}

/** Runs a statement that must change at least one row, and returns the given id. */
export async function change(id: string, statement: ReturnType<typeof sql>): Promise<string> {
  const { numAffectedRows } = await statement.execute(clinic().owner)
  expect(numAffectedRows).toBeGreaterThan(0n)
  return id
}

/** Runs such a statement on the session of the school's user, and returns the session's id. */
export async function ofSession(
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

/** Returns the id of a refresh token of the school's user. */
export async function tokenOf({ school: { user } }: Patient): Promise<string> {
  const token = await clinic()
    .owner.selectFrom('refresh_tokens')
    .innerJoin('token_families', 'token_families.id', 'family_id')
    .select('refresh_tokens.id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  return token.id
}

/** Stores and logs a lesson as a booking does, but checks no rules. By default it overlaps the existing lesson. */
export async function smuggle(
  { school, instructor, student }: Patient,
  fields: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { owner, service } = clinic()
  const id = randomUUID()
  const lesson = {
    ...blankOf(APPOINTMENT_FIELDS),
    instructor_id: instructor,
    student_id: student,
    lesson_type_id: school.lessonTypes.PRACTICE ?? '',
    ...hour('09:00', '10:30'),
    title: 'Smuggled',
    status: 'planned' as const,
    overrides_used: [],
    series_id: null,
    cancellation: null,
    no_show_fee_percent: null,
    confirmed_at: null,
    vehicle_ids: [],
    attendees: [],
    license_class: null,
    ...fields,
    id,
  }
  const actor = await anActor(service, school.tenantId)
  await owner.transaction().execute((db) => insertAppointments(db as never, actor, [lesson]))
  return id
}

/** Does the same for a new instructor with these rules, at a free time. */
export async function smuggleInto(
  patient: Patient,
  rules: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { id } = await patient.school.instructor(rules)
  return smuggle(patient, { instructor_id: id, ...hour('11:00', '12:30') })
}

/** Adds a location with travel times that the other locations lack. */
export async function smuggleLocation(
  { school }: Patient,
  travel_minutes: Readonly<Record<string, number>>,
): Promise<string> {
  const { service } = clinic()
  const actor = await anActor(service, school.tenantId)
  const location = { id: randomUUID(), name: 'Smuggled', address: null, travel_minutes }
  await inTransaction(service.db, (db) => insertRow(db, actor, LOCATIONS, location))
  return location.id
}

/** Returns times on `MONDAY`. */
export function hour(from: string, to: string) {
  return { start_at: `${MONDAY} ${from}`, end_at: `${MONDAY} ${to}` }
}
