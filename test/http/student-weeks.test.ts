import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { StudentBrowser } from '../support/student-browser.ts'
import { BIRTH, useActingStudent } from '../support/use-acting-student.ts'

const service = useService()
const acting = useActingStudent(service)
/** The clock of the acting student stands on the first Monday. */
const [thisWeek, nextWeek] = ['2030-05-06', '2030-05-13']

const client = () => acting().office.school.client
const path = (week: string) => `/students/${acting().office.student.id}/availability/${week}`
const stored = async (week = nextWeek): Promise<Row> => must(200, await client().get(path(week)))
const form = (act: string, fields: object, week = nextWeek): [string, string][] => [
  ['act', act],
  ['week', week],
  ...Object.entries(fields),
]

beforeEach(async () => {
  await acting().allow({ wish: true })
  for (const week of [thisWeek, nextWeek]) await client().delete(path(week))
  const wishes = `/students/${acting().office.student.id}/wishes`
  for (const { id } of (await client().get(wishes)).body) await client().delete(`${wishes}/${id}`)
})

async function opened(): Promise<StudentBrowser> {
  const browser = await acting().opened()
  expect((await browser.pressWeek(form('prove', BIRTH))).status).toBe(303)
  return browser
}

describe('the weeks on the page of a student', () => {
  it('are off in a new school: the list of lessons does not link to their page, which returns 404', async () => {
    const school = await aSchool(service())
    await school.client.patch('/tenant', { student_actions: { confirm: true, proof: 'none' } })
    const browser = await StudentBrowser.open(service(), school, await school.student())
    expect((await browser.list()).text).not.toContain('/weeks')
    expect((await browser.lookAtWeeks()).status).toBe(404)
    expect((await browser.pressWeek(form('week', { answer: 'none' }))).status).toBe(404)
  })

  it('are answered with one press: as wished, with a number of lessons, or not at all', async () => {
    const browser = await opened()
    expect((await browser.list()).text).toContain('/weeks?lang=de')
    expect((await browser.lookAtWeeks()).text).not.toContain('value="wishes"')
    must(201, await client().post(`/students/${acting().office.student.id}/wishes`, { minutes: 90 }))
    const page = await browser.lookAtWeeks()
    expect(page.text.match(/Sie haben noch nicht geantwortet/g)).toHaveLength(2)
    expect(page.text.match(/value="wishes"/g)).toHaveLength(2)
    expect((await browser.pressWeek(form('week', { lessons: '2', answer: 'wishes' }))).status).toBe(303)
    expect(await stored()).toMatchObject({ lessons: 2, windows: null })
    expect((await browser.lookAtWeeks()).text).toContain('Ihre Antwort · Termine: 2 · Wie gewünscht')
    expect((await browser.pressWeek(form('week', { lessons: '2', answer: 'none' }, thisWeek))).status).toBe(
      303,
    )
    expect(await stored(thisWeek)).toMatchObject({ lessons: 0, windows: [] })
    expect((await browser.lookAtWeeks()).text).toContain('Ihre Antwort · Ich kann nicht kommen')
    const { body } = await client().get('/changes?resource=availability')
    expect(body[0].actor).toMatchObject({ kind: 'student', id: acting().office.student.id })
  })

  it('take times, which can be taken out, and name those in which no lesson is possible', async () => {
    const { instructor } = acting().office
    const vacations = [{ start_date: '2030-05-14', end_date: '2030-05-14' }]
    must(200, await client().patch(`/instructors/${instructor.id}`, { vacations }))
    const browser = await opened()
    const times = (day: string) =>
      form('times', { date: day, time_from: '14:00', time_to: '18:00', minutes: '90', lessons: '3' })
    for (const day of ['2030-05-14', '2030-05-15', '2030-05-15'])
      expect((await browser.pressWeek(times(day))).status).toBe(303)
    const hours = { time_from: '14:00', time_to: '18:00', minutes: 90 }
    const both = [
      { date: '2030-05-14', ...hours },
      { date: '2030-05-15', ...hours },
    ]
    expect(await stored()).toMatchObject({ lessons: 3, windows: both })
    const { text } = await browser.lookAtWeeks()
    expect(text).toContain('14:00–18:00')
    expect(text.match(/Zu dieser Zeit ist im Moment kein Termin möglich/g)).toHaveLength(1)
    const taken = (day: string) => form('remove', { time: `${day} 14:00 18:00 90` })
    for (const _ of [1, 2]) expect((await browser.pressWeek(taken('2030-05-14'))).status).toBe(303)
    expect(await stored()).toMatchObject({ lessons: 3, windows: [both[1]] })
    await browser.pressWeek(taken('2030-05-15'))
    expect((await client().get(path(nextWeek))).status).toBe(404)
    must(200, await client().patch(`/instructors/${instructor.id}`, { vacations: [] }))
  })

  it('take times on all days that are left, at any hour, without a choice', async () => {
    const browser = await opened()
    const any = { time_from: '', time_to: '', minutes: '45', lessons: '1' }
    expect((await browser.pressWeek(form('times', any, thisWeek))).status).toBe(303)
    const windows = (await stored(thisWeek)).windows as Row[]
    const { text } = await browser.lookAtWeeks()
    const left = [...text.matchAll(/name="date" value="([^"]+)"/g)].map(([, day = '']) => day)
    expect(windows.map(({ date }) => date)).toEqual(left.filter((day) => day < nextWeek))
    expect(windows[0]).toMatchObject({ time_from: '00:00', time_to: '24:00', minutes: 45 })
  })

  it.each([
    ['week', { lessons: '8', answer: 'wishes' }],
    ['week', { lessons: '', answer: 'wishes' }],
    ['times', { minutes: '91', lessons: '1' }],
    ['times', { minutes: '45', lessons: '1', date: '2030-05-20' }],
    ['times', { minutes: '45', lessons: '1', time_from: '9:00' }],
    ['times', { minutes: '45', lessons: '1', time_from: '10:00', time_to: '10:30' }],
    ['times', { minutes: '45', lessons: '0' }],
  ])('store nothing for a form that the page cannot have sent: %s %o', async (act, fields) => {
    const browser = await opened()
    const answer = await browser.pressWeek(form(act, fields))
    expect([answer.status, answer.text.includes('role="alert"')]).toEqual([400, true])
    expect((await client().get(path(nextWeek))).status).toBe(404)
  })

  it('tell that something has changed if the page is of an earlier week, and take at most 28 times', async () => {
    const browser = await opened()
    for (const week of ['2030-04-29', '2030-05-20', 'x', '']) {
      const answer = await browser.pressWeek(form('week', { lessons: '1', answer: 'none' }, week))
      expect([answer.status, answer.text.includes('role="alert"')]).toEqual([409, true])
    }
    const from = (time_from: string) => form('times', { time_from, minutes: '45', lessons: '1' })
    for (const hour of ['08:00', '09:00', '10:00', '11:00'])
      expect((await browser.pressWeek(from(hour))).status).toBe(303)
    expect((await browser.pressWeek(from('12:00'))).status).toBe(409)
    expect((await stored()).windows).toHaveLength(28)
  })

  it('need the verification that the school asks for, also to be seen', async () => {
    must(200, await client().put(path(nextWeek), { lessons: 2, windows: null }))
    const browser = await acting().opened()
    expect((await browser.lookAtWeeks()).text).not.toContain('Ihre Antwort')
    for (const [act, fields] of [
      ['week', { lessons: '1', answer: 'none' }],
      ['times', { minutes: '45', lessons: '1' }],
      ['remove', { time: '2030-05-14 14:00 18:00 90' }],
    ] as const)
      expect((await browser.pressWeek(form(act, fields))).status).toBe(403)
    expect(await stored()).toMatchObject({ lessons: 2, windows: null })
  })
})
