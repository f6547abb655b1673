import { describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { cellsOf, ELSEWHEN, type Event, useTold } from './told.ts'

const service = useService()
const { office, browser, told } = useTold(service)

const { client, path } = {
  client: () => office().school.client,
  path: (lesson: Row) => `/appointments/${lesson.id}`,
}

const patch = async (lesson: Row, change: object) => must(200, await client().patch(path(lesson), change))
const cancel = async (lesson: Row) =>
  must(200, await client().post(`${path(lesson)}/cancel`, { by: 'school' }))

/** The events of the table, each applied to a booked lesson. */
const EVENTS: Readonly<Record<string, Event>> = {
  'moved in time': (lesson) => patch(lesson, ELSEWHEN),
  'moved in place': (lesson) => patch(lesson, { pickup_place: 'Rathaus' }),
  'another instructor': async (lesson) =>
    patch(lesson, { instructor_id: (await office().school.instructor({ email: 'mona@reader.example' })).id }),
  'cancelled by the office': cancel,
  'deleted by the office': async (lesson) => must(204, await client().delete(path(lesson))),
  'given to another student': async (lesson) =>
    patch(lesson, { student_id: (await office().school.student()).id }),
  'cancelled and undone': async (lesson) => {
    await cancel(lesson)
    await patch(lesson, { status: 'planned' })
  },
  'cancelled by the student': (lesson) => browser().submit(lesson.id, 'cancel'),
  'moved by the student': async (lesson) => {
    const { version } = must(200, await client().get(path(lesson)))
    const move = { act: 'move', version: String(version), start_at: ELSEWHEN.start_at }
    expect((await browser().press(lesson.id, move)).status).toBe(303)
  },
  'booked by the student': async () => {
    const { school, instructor } = office()
    const start_at = `${ELSEWHEN.start_at} ${instructor.id}`
    const lesson_type_id = school.lessonTypes.PRACTICE ?? ''
    expect((await browser().pressBooking({ act: 'book', lesson_type_id, start_at })).status).toBe(303)
  },
  'confirmed by the student': (lesson) => browser().submit(lesson.id, 'confirm'),
  'a wish of the student': () => browser().pressWish({ act: 'wish', weekday: '4', minutes: '90' }),
}

/**
 * The people told at once (student S, instructor I, office O), later (in brackets), and through the inbox of the office (!). The table
 * also stands in docs/messages.md.
 */
const TABLE = `
event                    | by day | quiet, soon | quiet, later | no address | no consent
moved in time            | S      | S           | (S)          | !          | !
moved in place           | S      | S           | (S)          | !          | !
another instructor       | S      | S           | (S)          | !          | !
cancelled by the office  | S      | S           | (S)          | !          | !
deleted by the office    | S      | S           | (S)          | !          | !
given to another student | S      | S           | (S)          | !          | !
cancelled and undone     |        |             |              |            |
cancelled by the student | SIO!   | SIO!        | (SIO)!       | IO!        | IO!
moved by the student     | SIO!   | SIO!        | (SIO)!       | IO!        | IO!
booked by the student    | IO!    | (IO)!       | (IO)!        | IO!        | IO!
confirmed by the student | IO!    | IO!         | (IO)!        | IO!        | IO!
a wish of the student    | IO!    | (IO)!       | (IO)!        | IO!        | IO!
`

const cells = cellsOf(TABLE)

describe('who is told of', () => {
  it.each(cells)('a lesson %s, %s: %s', async (event, moment, people) => {
    const happens = EVENTS[event]
    if (!happens) throw new Error(`no event ${event}`)
    expect(await told(happens, moment)).toBe(people)
  })
})
