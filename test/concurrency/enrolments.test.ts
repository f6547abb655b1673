// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { CLIENTS, mondays, outcomeOf, slot, times } from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const ROUNDS = rounds(3)

it('offices that write credits, the opening balance and the current enrolment at once lose no version', async () => {
  const school = await races.school()
  const { client, lessonTypes } = school
  const templates = must(200, await client.get('/license-class-templates'))
  const ids = ['B', 'A1'].map((code) => templates.find((one: Row) => one.code === code).id)
  const entry = (units: number, name: string) => [
    { lesson_type_id: lessonTypes.RURAL, units, date: '2030-01-31', [name]: 'Nord' },
  ]
  for (let round = 0; round < ROUNDS; round += 1) {
    const student = await school.student({ license_class_template_id: ids[0] })
    const paths = {
      balance: `/students/${student.id}/opening-balance`,
      all: `/students/${student.id}/enrolments`,
    }
    must(201, await client.post(paths.all, { template_id: ids[1] }))
    const enrolments: Row[] = must(200, await client.get(paths.all))
    const path = (index: number) => `/enrolments/${enrolments[(index >> 2) % 2]?.id}`
    const seen = (await client.get(paths.balance)).headers.get('etag') ?? ''
    const requests = times(CLIENTS, (index) => () => {
      if (index % 4 === 0) return client.patch(path(index), { is_current: true })
      if (index % 4 === 1) return client.put(`${path(index)}/credits`, entry(index, 'school'))
      return client.put(paths.balance, entry(index, 'source'), index % 4 === 3 ? { 'if-match': seen } : {})
    })
    for (const { status, body } of await school.race(requests))
      expect([200, 412], JSON.stringify(body)).toContain(status)
    const after: Row[] = must(200, await client.get(paths.all))
    const current = after.find(({ is_current }) => is_current)
    const credits: Row[] = must(200, await client.get(`/enrolments/${current?.id}/credits`))
    const balance: Row[] = must(200, await client.get(paths.balance))
    expect(balance).toEqual(credits.map(({ units }) => entry(Number(units), 'source')[0]))
  }
})

it('offices that choose, begin, end and delete classes at once leave one current enrolment, and one open for each class', async () => {
  const school = await races.school()
  const templates = must(200, await school.client.get('/license-class-templates'))
  const ids = ['B', 'B197', 'A1', 'BE'].map((code) => templates.find((one: Row) => one.code === code).id)
  const [instructor] = await school.instructors(1)
  for (const monday of mondays(ROUNDS)) {
    const student = await school.student({ license_class_template_id: ids[0] })
    const path = `/students/${student.id}/enrolments`
    const [first] = must(200, await school.client.get(path))
    await school.lesson({
      instructor_id: instructor?.id,
      student_id: student.id,
      lesson_type_id: school.lessonTypes.RURAL,
      status: 'completed',
      ...slot(monday, 0, 60),
    })
    const template = (index: number) => ids[index % ids.length]
    const requests = times(CLIENTS, (index) => () => {
      if (index % 4 === 0) return school.client.post(path, { template_id: template(index >> 2) })
      if (index % 8 === 1) return school.client.patch(`/enrolments/${first.id}`, { is_current: true })
      if (index % 8 === 5) return school.client.patch(`/enrolments/${first.id}`, { outcome: 'passed' })
      return school.client.patch(`/students/${student.id}`, { license_class_template_id: template(index) })
    })
    const { refused } = outcomeOf(await school.race(requests))
    for (const { code } of refused) expect(['already_enrolled', 'enrolment_ended']).toContain(code)
    const enrolments: Row[] = must(200, await school.client.get(path))
    const open = enrolments.filter(({ outcome }) => outcome === null).map((one) => one.license_class)
    expect(new Set(open).size).toBe(open.length)
    const current = enrolments.filter(({ is_current }) => is_current)
    expect(current.length).toBeLessThanOrEqual(1)
    const read = must(200, await school.client.get(`/students/${student.id}`))
    expect(read.license_class_template_id).toBe(current[0]?.template_id ?? null)
  }
})
