import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { must } from '../support/client.ts'
import { openForm, sendForm } from '../support/enquiries.ts'
import type { Row } from '../support/factory.ts'
import { dateAfter, slot } from '../support/races.ts'
import { type Case, nextMonday, type PlannedOffice } from './plan-cases.ts'

/** The statements about enquiries, calls, doubles and the calendars that instructors keep elsewhere. */
export const casesOfOutside: readonly Case[] = [
  {
    name: 'the page of the form for enquiries',
    status: 200,
    reads: 'tenants',
    by: 'tenants_by_slug',
    ask: async (office) => {
      const slug = await openForm(office.school)
      office.forget()
      return office.visitor().get(`//e/${slug}`)
    },
  },
  {
    name: 'an enquiry',
    status: 202,
    reads: 'tenants',
    by: 'tenants_by_slug',
    ask: async (office) => {
      const slug = await openForm(office.school)
      office.forget()
      return sendForm(office.service, slug)
    },
  },
  ...['/enquiries', '/enquiries?state=new', '/enquiries?limit=5'].map((path) => ({
    name: `the list ${path}`,
    status: 200,
    reads: 'enquiries',
    ask: ({ school }: PlannedOffice) => school.client.get(path),
  })),
  {
    name: 'the enrolment of an enquiry',
    status: 201,
    reads: 'enquiries',
    by: 'enquiries_pkey',
    ask: async (office) => office.school.client.post(`/enquiries/${await enquiryOf(office)}/enrol`),
  },
  {
    name: 'an enquiry that is closed',
    status: 200,
    reads: 'enquiries',
    by: 'enquiries_pkey',
    ask: async (office) => office.school.client.post(`/enquiries/${await enquiryOf(office)}/close`),
  },
  {
    name: 'the merge of two students',
    status: 200,
    ofWhole: 'student',
    reads: 'enquiries',
    by: 'enquiries_of_student',
    ask: async ({ school, forget }) => {
      const [self, other] = [await school.student(), await school.student()]
      forget()
      return school.client.post(`/students/${self.id}/merge`, { other_id: other.id })
    },
  },
  {
    name: 'the inbox, with its enquiries, calls and unreadable calendars',
    status: 200,
    reads: 'enquiries',
    ask: ({ school }) => school.client.get('/inbox'),
  },
  {
    name: 'a calendar of an instructor, added and listed',
    status: 200,
    reads: 'busy_calendars',
    by: 'busy_calendars_of_instructor',
    ask: async (office) => {
      const path = `/instructors/${office.instructors[8]}/busy-calendars`
      await aCalendar(office, path)
      return office.school.client.get(path)
    },
  },
  {
    name: 'a calendar of an instructor, deleted',
    status: 204,
    reads: 'busy_calendars',
    ask: async (office) => {
      const path = `/instructors/${office.instructors[8]}/busy-calendars`
      const { id } = await aCalendar(office, path)
      office.forget()
      return office.school.client.delete(`${path}/${id}`)
    },
  },
  {
    name: 'the busy times of a week',
    status: 200,
    reads: 'busy_times',
    ask: ({ school }) => school.client.get(`/busy-times?from=${nextMonday}&to=${dateAfter(nextMonday, 6)}`),
  },
  {
    name: 'a booking in a busy time that the school refuses',
    status: 409,
    reads: 'busy_times',
    by: 'busy_times_pkey',
    ask: async ({ service, school, instructors, students, forget }) => {
      must(200, await school.client.patch('/tenant', { busy_calendars: 'refuse' }))
      const day = dateAfter(nextMonday, 1)
      await sql`insert into busy_times (tenant_id, instructor_id, calendar_id, times)
        values (${school.tenantId}, ${instructors[9]}, ${randomUUID()}, ${`{["${day} 16:00","${day} 18:00")}`}::tsmultirange)`.execute(
        service.db,
      )
      forget()
      const lesson = { lesson_type_id: school.lessonTypes.PRACTICE, title: 'Lesson' }
      const people = { instructor_id: instructors[9], student_id: students[5] }
      return school.client.post('/appointments', { ...lesson, ...people, ...slot(day, 16 * 60) })
    },
  },
]

/** Sends an enquiry and discards the statements recorded so far. Returns its id. */
async function enquiryOf({ service, school, forget }: PlannedOffice): Promise<string> {
  must(202, await sendForm(service, await openForm(school)))
  const [enquiry] = must(200, await school.client.get('/enquiries?state=new&limit=1')) as Row[]
  forget()
  return String(enquiry?.id)
}

async function aCalendar({ school }: PlannedOffice, path: string): Promise<Row> {
  return must(
    201,
    await school.client.post(path, { name: 'Private', url: 'https://203.0.113.7/private.ics' }),
  )
}
