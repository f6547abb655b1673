import { queueMessages } from '../../src/db/messages/messages.ts'
import type { PlannedOffice } from '../db/plan-cases.ts'
import { type Answer, must } from '../support/client.ts'
import { anEnquiry } from '../support/enquiries.ts'
import type { Row } from '../support/factory.ts'
import { thisMonday } from '../support/history.ts'
import { dateAfter, slot } from '../support/races.ts'

/** A request whose statements are examined on a cluster alone: on one PostgreSQL it may read all of a small table. */
type Case = {
  readonly name: string
  readonly status: number
  readonly ask: (office: PlannedOffice) => Promise<Answer>
}

/** The requests on tables of both kinds: those on the coordinator, and those spread over the workers. */
export const casesOfBothKinds: readonly Case[] = [
  {
    name: 'the inbox with a call',
    status: 200,
    ask: async ({ service, school, students, forget }) => {
      const [send_at, worth_until] = [new Date(), new Date('2099-01-01')]
      const call = { kind: 'cancelled', channel: 'call', to_address: null, lessons: [] } as const
      await queueMessages(service.db, school.tenantId, send_at, [
        { ...call, student_id: students[0], send_at, worth_until },
      ])
      forget()
      return school.client.get('/inbox')
    },
  },
  {
    name: 'an enquiry that becomes a student',
    status: 201,
    ask: async ({ service, school, forget }) => {
      const { id } = await anEnquiry(service, school)
      forget()
      return school.client.post(`/enquiries/${id}/enrol`)
    },
  },
  {
    name: 'a merge of two students',
    status: 200,
    ask: async (office) => {
      const { self, other } = await aDouble(office)
      office.forget()
      return office.school.client.post(`/students/${self.id}/merge`, { other_id: other.id })
    },
  },
  {
    name: 'the undo of a merge',
    status: 200,
    ask: async (office) => {
      const { client } = office.school
      const { self, other } = await aDouble(office)
      const merged = await client.post(`/students/${self.id}/merge`, { other_id: other.id })
      must(200, merged)
      office.forget()
      return client.post(`/changes/sets/${merged.headers.get('x-request-id')}/undo`)
    },
  },
]

/** Makes two students of one person, of whom the other has a lesson. */
async function aDouble({ school }: PlannedOffice): Promise<Readonly<Record<'self' | 'other', Row>>> {
  const [self, other] = [await school.student(), await school.student()]
  const time = slot(dateAfter(thisMonday(), 14), 20 * 60)
  await school.lesson({ instructor_id: (await school.instructor()).id, student_id: other.id, ...time })
  return { self, other }
}
