import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
const open = useBrowser(service)

/** Creates a school with an instructor, closed on the second Tuesday of March 2099. */
async function aTheorySchool() {
  const school = await aSchool(service())
  await school.client.post('/closures', { start_date: '2099-03-10', end_date: '2099-03-10', note: 'Outing' })
  const { id: instructor_id } = await school.instructor()
  return { school, instructor_id }
}

it('a theory course is booked in topic order, skips a closed day, and can be undone', {
  tags: 'promise',
}, async () => {
  const { school } = await aTheorySchool()
  const page = await open('/?date=2099-03-03', { as: school })
  await page.getByRole('button', { name: 'Book lesson' }).first().click()
  const form = page.getByRole('dialog')
  const pick = async (field: string, typed: string) => {
    await form.getByRole('combobox', { name: field }).fill(typed)
    await page.getByRole('option', { name: new RegExp(typed) }).click()
  }
  await pick('Type', 'Grundstoff')
  await pick('Instructor', 'Jonas')
  await form.getByLabel('Start', { exact: true }).fill('18:30')
  await form.getByRole('switch', { name: 'Repeat weekly' }).click()
  await form.getByRole('button', { name: 'Thursday' }).click()
  await form.getByText('12 of 12 topics have a date').waitFor()
  const evenings = form.getByRole('list', { name: 'Dates of the course' }).getByRole('listitem')
  await expect.poll(() => evenings.count()).toBe(13)
  await expect.poll(() => evenings.nth(2).innerText()).toMatch(/10 Mar.*\s.*left out: .*Outing/)
  await expect
    .poll(() => evenings.nth(3).innerText())
    .toMatch(/12 Mar.*\sThema 3 · Rechtliche Rahmenbedingungen/)
  await form.getByRole('button', { name: 'Leave out Thema 12' }).click()
  await form.getByText('11 of 11 topics have a date').waitFor()
  await form.getByRole('button', { name: 'Book 11 lessons' }).click()
  await page.getByText(/^Booked: 11 lessons/).waitFor()
  const stored = async () => (await school.client.get('/appointments')).body as Row[]
  await expect
    .poll(async () => (await stored()).slice(0, 3).map(({ start_at, topic }) => [start_at, topic]))
    .toEqual([
      ['2099-03-03 18:30', 'Thema 1'],
      ['2099-03-05 18:30', 'Thema 2'],
      ['2099-03-12 18:30', 'Thema 3'],
    ])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(stored).toEqual([])
})

it('a course can be booked on a phone in German without horizontal scrolling', async () => {
  const { school } = await aTheorySchool()
  const phone = { viewport: { width: 360, height: 780 }, locale: 'de-DE', as: school }
  const page = await open('/?date=2099-03-03', phone)
  await page.getByTitle('(n)').click()
  const form = page.getByRole('dialog')
  await form.getByRole('combobox', { name: 'Art' }).fill('Zusatzstoff')
  await page.getByRole('option', { name: /Zusatzstoff/ }).click()
  await form.getByRole('combobox', { name: 'Fahrlehrer' }).fill('Jonas')
  await page.getByRole('option', { name: /Jonas/ }).click()
  await form.getByRole('switch', { name: 'Wöchentlich wiederholen' }).focus()
  await page.keyboard.press('Space')
  await form.getByLabel('Themen der Reihe nach').selectOption({ label: 'Klasse B: 2 Themen' })
  await form.getByText('2 von 2 Themen haben einen Termin').waitFor()
  await form
    .getByRole('list', { name: 'Termine des Kurses' })
    .getByText('Klasse B: Thema 2 · Fahren mit Solokraftfahrzeugen und Zügen')
    .waitFor()
  const wide = await form.evaluate(
    ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) => scrollWidth - clientWidth,
  )
  expect(wide).toBe(0)
  await form.getByRole('button', { name: '2 Stunden buchen' }).click()
  const stored = async () => (await school.client.get('/appointments')).body
  await expect
    .poll(stored)
    .toMatchObject([
      { topic: 'Klasse B: Thema 1' },
      { topic: 'Klasse B: Thema 2', start_at: expect.stringMatching(/^2099-03-17/) },
    ])
})

it('the student card lists attended, planned and missing topics and links to the next class', async () => {
  const { school, instructor_id } = await aTheorySchool()
  const template = await templateOf(school, 'B')
  const lena = await school.student({ license_class_template_id: template })
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const theory = { instructor_id, lesson_type_id: school.lessonTypes.THEORY_BASIC }
  const classOn = (date: string, topic: string, attendees: object[]) =>
    school.lesson({ ...theory, topic, attendees, start_at: `${date} 18:30`, end_at: `${date} 20:00` })
  const had = await classOn('2024-03-05', 'Thema 1', [{ student_id: lena.id, attended: true }])
  await school.client.patch(`/appointments/${had.id}`, { status: 'completed' })
  await classOn(day(3), 'Thema 2', [{ student_id: lena.id }])
  const next = await classOn(day(5), 'Thema 3', [])
  const page = await open(`/students?student=${lena.id}`, { as: school })
  await page.getByText('Theory topics: 1 attended, 1 planned, 12 missing').click()
  const topics = page.getByRole('list', { name: 'Theory topics' }).getByRole('listitem')
  await expect.poll(() => topics.count()).toBe(14)
  await expect.poll(() => topics.nth(0).innerText()).toMatch(/Persönliche Voraussetzungen\s+attended on/)
  await expect.poll(() => topics.nth(1).innerText()).toMatch(/Risikofaktor Mensch\s+planned on/)
  await expect.poll(() => topics.nth(3).innerText()).toMatch(/missing, no date planned/)
  await topics
    .nth(2)
    .getByRole('link', { name: /^missing, next on/ })
    .click()
  await expect.poll(() => new URL(page.url()).searchParams.get('lesson')).toBe(next.id)
  await page.getByRole('dialog').getByText('Thema 3').waitFor()
})
