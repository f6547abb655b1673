import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

it('map_url must be an https URL with exactly one {place}, or null', async () => {
  const choose = (map_url: string | null) => school.client.patch('/tenant', { map_url })
  expect(must(200, await school.client.get('/tenant')).map_url).toBeNull()
  for (const good of ['https://map.example/?q={place}', 'https://map.example?q={place}&z=1', null])
    expect(must(200, await choose(good)).map_url).toBe(good)
  for (const bad of [
    'http://map.example/?q={place}',
    'javascript:alert("{place}")',
    'https://{place}.example/',
    'https://map.example/',
    'https://map.example/{place}/{place}',
    'https://user@map.example/{place}',
    'https://map.example/\u0000{place}',
    'https://map.example/\ud800{place}',
    'https://%/{place}',
    `https://map.example/${'x'.repeat(500)}{place}`,
  ]) {
    const { status, body } = await choose(bad)
    expect([status, body.errors?.[0]?.pointer], bad).toEqual([400, '/map_url'])
  }
})

it("the student's page links the pick-up place to the map, URL-encoded", async () => {
  const instructor = await school.instructor()
  const student = await school.student()
  await school.lesson({
    instructor_id: instructor.id,
    student_id: student.id,
    start_at: '2099-03-02 08:00',
    end_at: '2099-03-02 09:30',
    pickup_place: 'Bahnhof "Süd" & <Ost>',
  })
  const { url } = must(200, await school.client.post(`/students/${student.id}/link`))
  const source = async () => (await fetch(String(url))).text()
  const page = async () =>
    (await source()).replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
  expect(await source()).not.toContain('<Ost>')
  expect(await page()).toContain('<p dir="auto">Bahnhof "Süd" & <Ost></p>')
  expect(await page()).not.toContain('map.example')
  must(200, await school.client.patch('/tenant', { map_url: 'https://map.example/?q={place}' }))
  expect(await page()).toContain(
    'href="https://map.example/?q=Bahnhof%20%22S%C3%BCd%22%20%26%20%3COst%3E" rel="noreferrer"',
  )
})
