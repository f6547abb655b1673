import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import {
  aPatient,
  change,
  found,
  hour,
  MONDAY,
  smuggle,
  smuggleInto,
  smuggleLocation,
  testHarms,
} from './harms.ts'

const CANCELLATION = {
  by: 'school',
  reason: null,
  note: null,
  at: '2026-05-03T10:00:00.000Z',
  notice_minutes: 0,
  is_late: false,
  fee_percent: 0,
  charged: false,
}

testHarms([
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
    name: 'a lesson was booked outside the availability windows',
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
    name: 'a lesson was booked into a stretch that is too long',
    code: 'booked_against_rules',
    resource: 'appointment',
    inflict: async (patient) => {
      const { id } = await patient.school.instructor({ max_continuous_minutes: 90 })
      await patient.school.lesson({ instructor_id: id, ...hour('12:00', '13:00') })
      return smuggle(patient, { instructor_id: id, student_id: null, ...hour('13:00', '14:00') })
    },
  },
  {
    name: 'a used override is not recorded',
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
    name: 'a lesson does not begin at a full minute',
    code: 'time_invalid',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(lesson, sql`update appointments set start_at = start_at + interval '1 s' where id = ${lesson}`),
  },
  {
    name: 'the actual time of a lesson is in another century',
    code: 'actual_time_invalid',
    resource: 'appointment',
    inflict: (patient) =>
      smuggle(patient, {
        ...hour('10:00', '11:30'),
        actual_start_at: '1999-03-04 09:00',
        actual_end_at: '1999-03-04 10:30',
      }),
  },
  {
    name: 'a planned lesson has a cancellation',
    code: 'cancellation_invalid',
    resource: 'appointment',
    inflict: (patient) => smuggle(patient, { ...hour('10:00', '11:30'), cancellation: CANCELLATION }),
  },
  {
    name: 'a planned lesson has the fee of a no-show',
    code: 'no_show_fee_invalid',
    resource: 'appointment',
    inflict: (patient) => smuggle(patient, { ...hour('10:00', '11:30'), no_show_fee_percent: 80 }),
  },
  {
    name: 'a planned lesson is marked as cancelled with its student',
    code: 'cancelled_with_student_invalid',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(lesson, sql`update appointments set cancelled_with_student = true where id = ${lesson}`),
  },
  {
    name: 'a way leads to a location that does not exist',
    code: 'way_one_sided',
    resource: 'location',
    inflict: (patient) => smuggleLocation(patient, { [randomUUID()]: 25 }),
  },
  {
    name: 'a way is missing in the opposite direction',
    code: 'way_one_sided',
    resource: 'location',
    inflict: async (patient) => {
      const { body: north } = await patient.school.client.post('/locations', { name: 'North' })
      return smuggleLocation(patient, { [north.id]: 25 })
    },
  },
  {
    name: 'a lesson has an instructor who does not exist',
    code: 'reference_to_nothing',
    resource: 'appointment',
    inflict: (patient) => smuggle(patient, { instructor_id: randomUUID(), student_id: null }),
  },
  {
    name: 'a lesson has an instructor of another school',
    code: 'reference_to_other_school',
    resource: 'appointment',
    inflict: async (patient) => {
      const { id } = await patient.other.instructor()
      return smuggle(patient, { instructor_id: id, student_id: null })
    },
  },
  {
    name: 'a lesson has a lesson type of another school',
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
    name: 'a vacation has no instructor',
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
])

it('a lesson with a vehicle or attendee of another school is reported (S58)', async () => {
  const patient = await aPatient()
  const { body: vehicle } = await patient.other.client.post('/vehicles', { name: 'Golf', kind: 'car' })
  const { id: student_id } = await patient.other.student()
  const ids = [
    await smuggle(patient, { ...hour('12:00', '13:30'), student_id: null, vehicle_ids: [vehicle.id] }),
    await smuggle(patient, {
      ...hour('14:00', '15:30'),
      student_id: null,
      seats: 2,
      attendees: [{ student_id, attended: null }],
    }),
  ]
  const findings = (await found(patient)).filter(({ code }) => code === 'reference_to_other_school')
  expect(findings.map(({ resource_id }) => resource_id).toSorted()).toEqual(ids.toSorted())
})

it('a coming lesson of a student who was put away is reported, a past or recorded one is not', async () => {
  const patient = await aPatient()
  const resource_id = await smuggle(patient, hour('12:00', '13:30'))
  const others = [
    await smuggle(patient, { start_at: '2020-03-02 12:00', end_at: '2020-03-02 13:30' }),
    await smuggle(patient, { ...hour('15:00', '16:30'), status: 'completed' }),
  ]
  const id = patient.student
  await change(id, sql`update students set archived_at = '2000-01-01' where id = ${id}`)
  const findings = (await found(patient)).filter(({ code }) => code === 'student_archived')
  const reported = findings.map((finding) => finding.resource_id)
  expect([resource_id, ...others].map((one) => reported.includes(one))).toEqual([true, false, false])
})

it('a coming lesson of a deleted student is reported once', async () => {
  const patient = await aPatient()
  await patient.school.client.delete(`/students/${patient.student}`)
  const resource_id = await smuggle(patient, hour('12:00', '13:30'))
  expect(await found(patient)).toEqual([{ code: 'student_deleted', resource: 'appointment', resource_id }])
})
