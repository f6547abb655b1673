import ical, { type VEvent } from 'node-ical'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { feedOf } from '../support/links.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()
const TODAY = Date.now()
let school: School
let instructor: Row
let student: Row
let branch: Row
let car: Row

beforeAll(async () => {
  school = await aSchool(service())
  branch = must(201, await school.client.post('/locations', { name: 'Nord', address: 'Hauptstraße 12' }))
  const other = must(201, await school.client.post('/locations', { name: 'Süd', address: 'Südallee 3' }))
  instructor = await school.instructor({ location_id: other.id })
  student = await school.student({ phone: '+49 30 5550142' })
  car = must(201, await school.client.post('/vehicles', { name: 'Golf 3', kind: 'car', plate: 'B-FS 103' }))
  await lessonIn(2, { pickup_place: 'Bahnhof', vehicle_ids: [car.id] })
  await lessonIn(3, { location_id: branch.id })
  await lessonIn(4)
  const { id } = await lessonIn(5, { pickup_place: 'Hafen' })
  must(200, await school.client.post(`/appointments/${id}/cancel`, { by: 'school' }))
})

function lessonIn(days: number, fields: object = {}): Promise<Row> {
  const date = new Date(TODAY + days * 86_400_000).toISOString().slice(0, 10)
  const times = { start_at: `${date} 08:00`, end_at: `${date} 09:30` }
  return school.lesson({ instructor_id: instructor.id, student_id: student.id, ...times, ...fields })
}

async function eventsAt(path: string): Promise<readonly VEvent[]> {
  const { status, text } = await new Client(service()).get(path)
  expect(status).toBe(200)
  const all = Object.values(ical.sync.parseICS(text))
  return all.filter((one): one is VEvent => one?.type === 'VEVENT')
}

async function pageOf(one: Row): Promise<string> {
  const { url } = must(200, await school.client.post(`/students/${one.id}/link`))
  return `/${new URL(url).pathname}.ics`
}

const PLACES = ['Bahnhof', 'Hauptstraße 12', 'Südallee 3', 'Hafen']
const placesOf = (events: readonly VEvent[]) => events.map(({ location }) => location)

describe('a calendar', () => {
  it.each(['full', 'lesson'])(
    'with the detail %s has the meeting point, or else the address of the branch, as the location',
    async (detail) => {
      expect(placesOf(await eventsAt(await feedOf(school, instructor, detail)))).toEqual(PLACES)
    },
  )

  it('with the detail busy has no places', async () => {
    const path = await feedOf(school, instructor, 'busy')
    expect(placesOf(await eventsAt(path))).toEqual(Array(4).fill(undefined))
    expect((await new Client(service()).get(path)).text).not.toMatch(/^LOCATION|Bahnhof|straße/m)
  })

  it('of a student has the places', async () => {
    expect(placesOf(await eventsAt(await pageOf(student)))).toEqual(PLACES)
  })

  it('changes with the address of a branch, which only counts if it is of the school', async () => {
    await plantTwin(service(), school.tenantId, 'Twin')
    const path = await feedOf(school, instructor, 'full')
    const page = await pageOf(student)
    const tags = async () => {
      const [one, other] = [await new Client(service()).get(path), await new Client(service()).get(page)]
      return [one.headers.get('etag'), other.headers.get('etag')]
    }
    const before = await tags()
    must(200, await school.client.patch(`/locations/${branch.id}`, { address: 'Nordring 1' }))
    const after = await tags()
    must(200, await school.client.patch(`/vehicles/${car.id}`, { plate: 'B-FS 104' }))
    const later = await tags()
    expect([later[0] === after[0], later[1] === after[1]]).toEqual([false, false])
    must(200, await school.client.patch(`/vehicles/${car.id}`, { plate: 'B-FS 103' }))
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, false])
    for (const address of [path, page])
      expect(placesOf(await eventsAt(address))).toEqual(['Bahnhof', 'Nordring 1', 'Südallee 3', 'Hafen'])
  })

  it('has the topic, the vehicle with its plate, and only with the detail full the phone', async () => {
    const theory = school.lessonTypes.THEORY_BASIC
    const at = new Date(TODAY + 9 * 86_400_000).toISOString().slice(0, 10)
    const theoryClass = must(
      201,
      await school.client.post('/appointments', {
        ...{ instructor_id: instructor.id, lesson_type_id: theory, topic: 'Thema 3' },
        ...{ start_at: `${at} 18:00`, end_at: `${at} 19:30`, attendees: [{ student_id: student.id }] },
      }),
    )
    const partsOf = async (path: string) => {
      const all = await eventsAt(path)
      return [all[0]?.description, all.at(-1)?.description]
    }
    const page = await pageOf(student)
    expect(await partsOf(await feedOf(school, instructor, 'full'))).toEqual([
      'Golf 3 (B-FS 103)\n\n+49 30 5550142',
      'Thema 3',
    ])
    const path = await feedOf(school, instructor, 'lesson')
    expect(await partsOf(path)).toEqual(['Golf 3 (B-FS 103)', 'Thema 3'])
    expect(await partsOf(await feedOf(school, instructor, 'busy'))).toEqual([undefined, undefined])
    const { first_name } = instructor
    expect(await partsOf(page)).toEqual([
      `mit ${first_name}\n\nGolf 3 (B-FS 103)`,
      `mit ${first_name}\n\nThema 3`,
    ])
    must(204, await school.client.delete(`/appointments/${theoryClass.id}`))
  })

  it('marks a cancelled lesson in its title, in its language', async () => {
    const titles = async (path: string) => (await eventsAt(path)).map(({ summary }) => summary)
    expect((await titles(await feedOf(school, instructor, 'lesson'))).slice(2)).toEqual([
      'Übungsfahrt (Grundausbildung): Lena V.',
      'Abgesagt: Übungsfahrt (Grundausbildung): Lena V.',
    ])
    expect((await titles(await feedOf(school, instructor, 'busy'))).at(-1)).toBe('Abgesagt: Belegt')
    const page = await pageOf(student)
    expect((await titles(page)).at(-1)).toBe('Abgesagt: Übungsfahrt (Grundausbildung)')
    expect((await titles(`${page}?lang=tr`)).at(-1)).toMatch(/^İptal edildi: /)
  })
})
