// @module-tag long: has the whole table of sets; who-is-told.test.ts has that of single lessons

import { describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'
import { cellsOf, ELSEWHEN, type Event, LATER, useTold } from './told.ts'

const service = useService()
const { office, told, server } = useTold(service)

const client = () => office().school.client

/** Records a day off of the instructor with a decision on the lesson. */
const absence = async ({ id }: Row, decision: object) => {
  const { start_at, version } = must(200, await client().get(`/appointments/${id}`))
  const date = String(start_at).slice(0, 10)
  const decisions = [{ appointment_id: id, version, ...decision }]
  const recorded = { start_date: date, end_date: date, decisions }
  return must(200, await client().post(`/instructors/${office().instructor.id}/absences`, recorded))
}
const teacher = () => office().school.instructor({ email: 'mona@reader.example' })
const undo = async (set: string) => must(200, await client().post(`/changes/sets/${set}/undo`))
const cancelled = (lesson: Row) => absence(lesson, { action: 'cancel', cancellation: { by: 'school' } })

/** Books a group with these students, of which nobody is told yet. */
async function groupOf(...students: readonly Row[]): Promise<Row> {
  must(200, await client().patch('/tenant', { messages: { booked: false } }))
  const group = await office().school.lesson({
    instructor_id: (await teacher()).id,
    lesson_type_id: office().school.lessonTypes.THEORY_BASIC,
    attendees: students.map(({ id }) => ({ student_id: id })),
    ...ELSEWHEN,
  })
  await office().messages()
  must(200, await client().patch('/tenant', { messages: { booked: true } }))
  return group
}

const seat = ({ id }: Row) => `/appointments/${id}/attendees/${office().student.id}`

/** The events of the table, each applied to a booked lesson in a school that tells of bookings, too. */
const EVENTS: Readonly<Record<string, Event>> = {
  'absence: cancelled': cancelled,
  'absence: moved': (lesson) => absence(lesson, { action: 'move', ...ELSEWHEN }),
  'absence: another instructor': async (lesson) =>
    absence(lesson, { action: 'take_over', instructor_id: (await teacher()).id }),
  'absence: kept': (lesson) => absence(lesson, { action: 'keep' }),
  'absence undone at once': async (lesson) => {
    const { set_id } = await cancelled(lesson)
    await office().messages()
    await undo(set_id)
  },
  'added to a group': async () =>
    must(200, await client().post(seat(await groupOf(await office().school.student())))),
  'removed from a group': async () =>
    must(204, await client().delete(seat(await groupOf(office().student, await office().school.student())))),
  'the student deleted': async () => must(204, await client().delete(`/students/${office().student.id}`)),
  'merged with a double': async () => {
    const double = await office().school.student()
    must(200, await client().patch('/tenant', { messages: { booked: false } }))
    await office().lesson({ ...ELSEWHEN, student_id: double.id })
    await office().messages()
    must(200, await client().patch('/tenant', { messages: { booked: true } }))
    must(200, await client().post(`/students/${office().student.id}/merge`, { other_id: double.id }))
  },
  'a plan applied': async (lesson) => {
    must(200, await client().patch('/tenant', { messages: { cancelled: false } }))
    must(200, await client().post(`/appointments/${lesson.id}/cancel`, { by: 'school' }))
    await office().messages()
    must(200, await client().patch('/tenant', { messages: { cancelled: true } }))
    const license_class_template_id = await templateOf(office().school, 'B')
    const student = `/students/${office().student.id}`
    must(200, await client().patch(student, { license_class_template_id }))
    must(200, await client().patch(`/instructors/${office().instructor.id}`, { license_classes: ['B'] }))
    const wish = { instructor_id: office().instructor.id, minutes: 60, until: '2099-03-05' }
    must(201, await client().post(`${student}/wishes`, wish))
    const plan = must(201, await client().post('/plans', { from: '2099-03-03', to: '2099-03-05' }))
    expect(plan).toMatchObject({ left_out: [], proposed: [{}] })
    must(200, await client().post(`/plans/${plan.id}/apply`, { as: 'booked' }))
  },
  'an offer taken by another': async () => {
    const emma = await office().school.student()
    const { links } = must(
      201,
      await client().post('/offers', {
        instructor_id: office().instructor.id,
        lesson_type_id: office().school.lessonTypes.PRACTICE,
        student_ids: [office().student.id, emma.id],
        expires_at: '2099-03-02T12:00:00.000Z',
        ...ELSEWHEN,
      }),
    )
    const link = (links as Row[]).find(({ student_id }) => student_id === emma.id)
    const token = String(link?.url).split('/o/').at(-1)
    must(200, await new Client(service()).post(`/offers/accept/${token}`))
  },
}

/** The people told, as in `who-is-told.test.ts`. The table also stands in docs/messages.md. */
const TABLE = `
event                       | by day | quiet, soon | quiet, later | no address | no consent
absence: cancelled          | S      | S           | (S)          | !          | !
absence: moved              | S      | S           | (S)          | !          | !
absence: another instructor | S      | S           | (S)          | !          | !
absence: kept               |        |             |              |            |
absence undone at once      |        |             |              |            |
added to a group            | S      | -           | (S)          | !          |
removed from a group        | S      | -           | (S)          | !          | !
the student deleted         |        |             |              |            |
merged with a double        |        | -           |              |            |
a plan applied              | S      | -           | (S)          | !          |
an offer taken by another   | IO!    | -           | (IO)!        | IO!        | IO!
`

describe('who is told of', () => {
  it.each(cellsOf(TABLE))('%s, %s: %s', async (event, moment, people) => {
    const happens = EVENTS[event]
    if (!happens) throw new Error(`no event ${event}`)
    expect(await told(happens, moment, { booked: true })).toBe(people)
  })
})

it('an absence undone after its message was sent is told again, as the lesson that takes place', async () => {
  const lesson = await office().lesson(LATER)
  await office().messages()
  must(200, await client().patch('/tenant', { messages: { booked: true } }))
  const { set_id } = await cancelled(lesson)
  office().moveClock('2099-03-01T12:05:00Z')
  await office().messages()
  office().hire(server())
  await office().settled()
  await undo(set_id)
  office().moveClock('2099-03-01T12:10:00Z')
  const sent = (await office().settled()).map(({ kind, state }) => `${kind} ${state}`)
  expect(sent).toEqual(['cancelled sent', 'booked sent'])
})
