import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Slot } from '../../src/contract/slot.ts'
import { daysLater } from '../../src/domain/local-time.ts'
import { localNow } from '../../src/domain/time-zone.ts'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { MONDAY, type SlotQuery, slotsPath } from '../support/slot-query.ts'
import { at } from '../support/times.ts'

const service = useService()
/** Monday to Friday, 08:00 to 12:00. */
const MORNINGS = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '12:00' }))
const MONDAY_LONG_AGO = '2020-05-04'

type Id = { readonly id: string }
let school: School
/** An instructor who teaches Lena's class and is busy from 9 to 10. */
let anna: Id
/** An instructor who does not teach it, although Lena prefers him. */
let bert: Id
let lena: Id

beforeAll(async () => {
  school = await aSchool(service())
  const templates = (await school.client.get('/license-class-templates')).body
  const car = templates.find(({ code }: { code: string }) => code === 'B')
  const availability_windows = MORNINGS
  anna = await school.instructor({ last_name: 'Adler', license_classes: ['B'], availability_windows })
  bert = await school.instructor({ last_name: 'Busch', license_classes: ['A'], availability_windows })
  lena = await school.student({ license_class_template_id: car.id, preferred_instructor_id: bert.id })
  await school.lesson({ instructor_id: anna.id, ...at('09:00', '10:00', MONDAY) })
})

async function slots(query: SlotQuery): Promise<readonly Slot[]> {
  const answer = await school.client.get(slotsPath(query))
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

/** Stops the clock for a test: slots far ahead have a warning with the current minute. */
function stopClock(): void {
  service().setClock(new Date())
  onTestFinished(() => service().setClock(undefined))
}

const inText = ({ start_at, instructor_id }: Slot) =>
  `${start_at.slice(11)} ${instructor_id === anna.id ? 'Anna' : 'Bert'}`
const ALL = ['08:00 Anna', '08:00 Bert', '09:00 Bert', '10:00 Anna', '10:00 Bert', '11:00 Anna', '11:00 Bert']
const ANNAS = ['08:00 Anna', '10:00 Anna', '11:00 Anna']

describe('GET /slots', () => {
  it('lists slots by start, and then by name of the instructor', async () => {
    expect((await slots({})).map(inText)).toEqual(ALL)
  })

  it.each<[string, () => SlotQuery, readonly string[]]>([
    ['of one instructor', () => ({ instructor_id: anna.id }), ANNAS],
    ['of several instructors', () => ({ instructor_id: [anna.id, bert.id.toUpperCase()] }), ALL],
    ['of instructors who teach the class of the student', () => ({ student_id: lena.id }), ANNAS],
    ['of 120 minutes', () => ({ minutes: '120' }), ['08:00 Bert', '09:00 Bert', '10:00 Anna', '10:00 Bert']],
    [
      'of the length of a lesson type',
      () => ({ minutes: undefined, lesson_type_id: type('PRACTICE'), step: '30', instructor_id: anna.id }),
      ['10:00 Anna', '10:30 Anna'],
    ],
    [
      'of the given minutes instead of the length of the lesson type',
      () => ({ lesson_type_id: type('PRACTICE') }),
      ALL,
    ],
    ['from a time of day', () => ({ time_from: '10:00' }), ALL.slice(3)],
    ['until a minute before the end of a slot', () => ({ time_to: '10:59' }), ALL.slice(0, 3)],
    ['until the end of a slot', () => ({ time_to: '11:00' }), ALL.slice(0, 5)],
    ['from a minute after the start of a slot', () => ({ from: `${MONDAY} 10:01` }), ALL.slice(5)],
    ['until a time', () => ({ to: `${MONDAY} 10:00` }), ALL.slice(0, 3)],
    ['on other weekdays', () => ({ weekdays: '2,7' }), []],
    ['on the same weekday', () => ({ weekdays: '7,1' }), ALL],
    ['up to a limit', () => ({ limit: '2' }), ALL.slice(0, 2)],
    ['in an empty range', () => ({ from: `${MONDAY} 10:00`, to: `${MONDAY} 10:00` }), []],
    ['before the calendar begins', () => ({ from: '1900-01-01', to: '1900-01-02' }), []],
    [
      'on the last day of the calendar',
      () => ({ from: '2099-12-31', to: '2099-12-31', instructor_id: anna.id }),
      ['08:00 Anna', '09:00 Anna', '10:00 Anna', '11:00 Anna'],
    ],
  ])('finds the slots %s', async (_, query, expected) => {
    expect((await slots(query())).map(inText)).toEqual(expected)
  })

  it('ignores the appointment that is to be moved, for instructor and student', async () => {
    const { id } = await school.lesson({
      instructor_id: anna.id,
      student_id: lena.id,
      ...at('10:30', '11:30', MONDAY),
    })
    const wanted = { student_id: lena.id, instructor_id: [anna.id, bert.id], step: '30' }
    const own = [
      '08:00 Bert',
      '08:00 Anna',
      '08:30 Bert',
      '09:00 Bert',
      '09:30 Bert',
      '10:00 Bert',
      '10:00 Anna',
    ]
    expect((await slots({ ...wanted, time_from: '10:00' })).map(inText)).toEqual([])
    expect((await slots({ ...wanted, time_to: '11:00', appointment_id: id })).map(inText)).toEqual(own)
    await school.client.delete(`/appointments/${id}`)
  })

  it('leaves out times at which the student of the appointment to be moved is busy', async () => {
    const with_lena = { student_id: lena.id, ...at('10:30', '11:30', MONDAY) }
    const { id } = await school.lesson({ instructor_id: anna.id, ...with_lena })
    const other = { instructor_id: bert.id, student_id: lena.id, ...at('08:00', '09:00', MONDAY) }
    const { id: otherId } = await school.lesson(other)
    const wanted = { instructor_id: anna.id, time_to: '11:00', appointment_id: id }
    const named = await slots({ ...wanted, student_id: lena.id })
    expect(await slots(wanted)).toEqual(named)
    expect(named.map(inText)).not.toContain('08:00 Anna')
    for (const one of [id, otherId]) await school.client.delete(`/appointments/${one}`)
  })

  it('returns preference, free minutes before and after, and warnings for each slot', async () => {
    const day = { from: MONDAY_LONG_AGO, to: MONDAY_LONG_AGO }
    const [slot] = await slots({ ...day, student_id: lena.id, instructor_id: bert.id, time_from: '09:00' })
    expect(slot).toEqual({
      instructor_id: bert.id,
      start_at: `${MONDAY_LONG_AGO} 09:00`,
      end_at: `${MONDAY_LONG_AGO} 10:00`,
      vehicle_ids: [],
      overrides_used: [],
      is_preferred: true,
      minutes_free_before: 60,
      minutes_free_after: 120,
      warnings: [
        { code: 'in_the_past', params: { now: expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d$/) } },
        { code: 'class_not_taught', params: { license_class: 'B', license_classes: ['A'] } },
      ],
    })
    const [beside] = await slots({ instructor_id: anna.id, step: '30', time_from: '10:30' })
    expect(beside).toMatchObject({ is_preferred: false, minutes_free_before: 30, minutes_free_after: 30 })
  })

  it('searches from now to four weeks ahead by default, and returns 20 slots', async () => {
    const now = localNow(new Date(), 'Europe/Berlin')
    const all = await slots({
      from: undefined,
      to: undefined,
      minutes: '240',
      instructor_id: bert.id,
      limit: '200',
    })
    expect([19, 20]).toContain(all.length)
    for (const { start_at, end_at, warnings } of all) {
      expect(start_at >= now && end_at < `${daysLater(now.slice(0, 10), 28)} 24`, start_at).toBe(true)
      expect(warnings.map(({ code }) => code)).not.toContain('in_the_past')
    }
    expect(
      await slots({ from: undefined, to: undefined, instructor_id: bert.id, limit: undefined }),
    ).toHaveLength(20)
  })

  it('lists slots that need an override only with overrides=true', async () => {
    const { id } = await school.instructor({
      max_daily_units: 1,
      max_daily_override: 2,
      availability_windows: MORNINGS,
    })
    expect(await slots({ instructor_id: id })).toEqual([])
    expect(await slots({ instructor_id: id, minutes: '45' })).toHaveLength(4)
    const above = await slots({ instructor_id: id, overrides: 'true' })
    expect(above.map(({ overrides_used }) => overrides_used)).toEqual(Array(4).fill(['daily']))
    expect(await slots({ instructor_id: id, lesson_type_id: type('CONSULTATION') })).toHaveLength(4)
    await school.client.patch(`/instructors/${id}`, { active: false })
    expect(await slots({ instructor_id: id, minutes: '45' })).toEqual([])
  })

  it('orders by fit: the preferred instructor first, then slots without a useless remainder', async () => {
    const both = { instructor_id: [anna.id, bert.id], student_id: lena.id, minutes: '60', step: '30' }
    const found = (await slots({ ...both, order: 'fit' })).map(inText)
    // The shortest lesson that counts toward limits takes 45 minutes, so half an hour is useless.
    expect(found).toEqual([
      ...['08:00 Bert', '09:00 Bert', '09:30 Bert', '10:00 Bert', '11:00 Bert'],
      ...['08:30 Bert', '10:30 Bert'],
      ...['08:00 Anna', '10:00 Anna', '11:00 Anna', '10:30 Anna'],
    ])
  })

  it.each(['time', 'fit'])('returns pages in the order %s without gaps or repeats', async (order) => {
    stopClock()
    const query = { instructor_id: [anna.id, bert.id], student_id: lena.id, order, step: '30' }
    const whole = await slots(query)
    const first = await school.client.get(slotsPath({ ...query, limit: '4' }))
    const next = /^<\/api\/v1([^>]*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await school.client.get(next)
    expect([...first.body, ...second.body]).toEqual(whole.slice(0, 8))
    const rest = await school.client.get(slotsPath({ ...query, limit: '200' }))
    expect([rest.body.length, rest.headers.get('link')]).toEqual([whole.length, null])
  })

  it('continues after the last slot of a page even if that has been booked since', async () => {
    const query = { instructor_id: [anna.id, bert.id], step: '30' }
    const first = await school.client.get(slotsPath({ ...query, limit: '4' }))
    const next = /^<\/api\/v1([^>]*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const { instructor_id, start_at, end_at } = first.body.at(-1)
    const { id } = await school.lesson({ instructor_id, start_at, end_at })
    const free = (await slots(query)).map(inText)
    const seen = first.body.map(inText)
    expect(free).not.toContain(seen.at(-1))
    expect((await slots({ ...query, limit: '4' })).map(inText)).not.toEqual(seen)
    const second = await school.client.get(next)
    await school.client.delete(`/appointments/${id}`)
    expect(second.body.map(inText)).toEqual(free.filter((slot) => !seen.includes(slot)).slice(0, 4))
  })

  it('returns 304 until a slot is taken', async () => {
    stopClock()
    const address = slotsPath({})
    const tag = (await school.client.get(address)).headers.get('etag') ?? ''
    expect((await school.client.get(address, { 'if-none-match': tag })).status).toBe(304)
    await school.lesson({ instructor_id: bert.id, ...at('08:00', '08:30', MONDAY) })
    expect((await school.client.get(address, { 'if-none-match': tag })).status).toBe(200)
  })
})

function type(code: string): string | undefined {
  return school.lessonTypes[code]
}

it('a school without instructors has no slots, but still gets 404 for a foreign lesson type', async () => {
  const empty = await aSchool(service())
  const search = (lesson_type_id = '') =>
    empty.client.get(`/slots?${new URLSearchParams({ lesson_type_id })}`)
  expect((await search(empty.lessonTypes.PRACTICE)).body).toEqual([])
  expect((await search(type('PRACTICE'))).status).toBe(404)
})
