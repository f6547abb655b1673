import { readFile } from 'node:fs/promises'
import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { anEnrolmentOffice, type EnrolmentOffice, TODAY } from '../support/enrolment-office.ts'
import type { Row, School } from '../support/factory.ts'
import { pagesOfPdf } from '../support/pdf-text.ts'

const service = useService()
const open = useBrowser(service)

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const PERIOD = 'from=2030-01-01&to=2030-04-30'

let office: EnrolmentOffice
let school: School

/** Adds a student whose training ended, with all that a record needs but the fields given as null. */
async function ended(last_name: string, fields: object = {}): Promise<Row> {
  const student = await school.student({
    ...{ first_name: 'Eva', last_name, license_class_template_id: office.classes.B },
    ...{ address: 'Weg 2\n50667 Köln', birth_date: '2010-01-01', ...fields },
  })
  const [enrolment] = (await office.enrolments(student)) as [Row]
  must(200, await office.change(enrolment, { begins_on: '2030-01-02', prior_classes: [] }))
  must(200, await office.change(enrolment, { outcome: 'moved', ends_on: '2030-04-15' }))
  return student
}

beforeEach(async () => {
  office = await anEnrolmentOffice(service())
  school = office.school
  must(200, await school.client.patch('/tenant', { address: 'Ring 1', responsible: 'Ada Adler' }))
})

it('shows the office which records are incomplete, the easiest to mend first, with links that mend them', async () => {
  await ended('Vogt')
  const baum = await ended('Baum', { address: null, birth_date: null })
  const zimmer = await ended('Zimmer', { address: null })
  const page = await open('/students', { as: school })
  await page.getByRole('link', { name: 'Training records' }).click()
  await page.getByRole('heading', { name: 'Training records' }).waitFor()
  await page.goto(`${service().url}/records?${PERIOD}`)
  const records = page.getByRole('group').filter({ hasText: 'ended on' })
  await records.filter({ hasText: 'Baum, Eva' }).getByText('4 defects').waitFor()
  const names = await records.locator('summary strong').allTextContents()
  expect(names).toEqual(['Vogt, Eva', 'Zimmer, Eva', 'Baum, Eva'])
  const first = records.filter({ hasText: 'Zimmer, Eva' })
  await first.getByText('Zimmer, Eva').click()
  await first.getByText('School has not signed · Student has not signed').waitFor()
  const gap = first.getByRole('listitem').filter({ hasText: 'The address is missing' })
  await gap.getByRole('link', { name: 'Open student' }).click()
  await page.waitForURL(new RegExp(`/students\\?student=${zimmer.id}`))
  const card = page.getByRole('dialog')
  await card.getByText('Training record').click()
  await card.getByText('The address is missing').waitFor()
  must(200, await school.client.patch(`/students/${baum.id}`, { address: 'Weg 3', birth_date: '2010-01-01' }))
  await page.goto(`${service().url}/records?${PERIOD}&show=unsigned`)
  await page.getByRole('button', { name: /Not signed/, pressed: true }).waitFor()
  await records.filter({ hasText: 'Baum, Eva' }).getByText('2 defects').waitFor()
})

it('prints all records of a period, and one from the card of the student', async () => {
  await ended('Vogt')
  const baum = await ended('Baum')
  const page = await open(`/records?${PERIOD}&show=all`, { as: school })
  const all = page.waitForEvent('download')
  await page.getByRole('button', { name: 'All as PDF' }).click()
  expect(pagesOfPdf(await readFile(await (await all).path()))).toHaveLength(2)
  await page.goto(`${service().url}/students?student=${baum.id}`)
  const card = page.getByRole('dialog')
  await card.getByText('Training record').click()
  const one = page.waitForEvent('download')
  await card.getByRole('button', { name: 'Record as PDF' }).click()
  const [text = []] = pagesOfPdf(await readFile(await (await one).path()))
  expect(text.at(-2)).toBe('Baum, Eva')
  await card.getByRole('button', { name: 'Confirmation: theory' }).click()
  await page.getByText('Not complete yet: ').waitFor()
})

it('leads to the lesson that a gap is about, and fits a phone', async () => {
  const lena = await office.lena()
  const [enrolment] = (await office.enrolments(lena)) as [Row]
  must(200, await office.change(enrolment, { begins_on: '2026-01-02' }))
  const lesson = await office.drive(lena, '2030-04-02')
  const page = await open('/records?running=true', { as: school, ...PHONE })
  const record = page.getByRole('group').filter({ hasText: 'Vogt, Lena' })
  await record.getByText('Vogt, Lena').click()
  await record.getByText('A past lesson is still planned').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  const gap = record.getByRole('listitem').filter({ hasText: 'A past lesson is still planned' })
  await gap.getByRole('link').click()
  await page.waitForURL(new RegExp(`lesson=${lesson.id}`))
  await page.getByRole('dialog').getByText('Lena Vogt').first().waitFor()
})

it('leads to the settings of the school for its address and manager, which mend the record', async () => {
  must(200, await school.client.patch('/tenant', { address: null, responsible: null }))
  await ended('Vogt')
  const page = await open(`/records?${PERIOD}`, { as: school })
  const record = page.getByRole('group').filter({ hasText: 'Vogt, Eva' })
  await record.getByText('Vogt, Eva').click()
  const gap = record.getByRole('listitem').filter({ hasText: "The school's address is missing" })
  await gap.getByRole('link').click()
  const fields = page.getByRole('group', { name: 'Training records' })
  await fields.getByLabel('Address').fill('Ring 1\n50667 Köln')
  await fields.getByLabel('Responsible person').fill('Ada Adler')
  await fields.getByLabel('Signed by the student').click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const tenant = async () => must(200, await school.client.get('/tenant'))
  await expect.poll(tenant).toMatchObject({
    ...{ address: 'Ring 1\n50667 Köln', responsible: 'Ada Adler' },
    record: { signatures: ['school'] },
  })
  await page.goBack()
  await record.getByText('Vogt, Eva').waitFor()
  expect(await record.getByText(/address is missing|person is missing/).count()).toBe(0)
})

it('reads a long list page by page, to the end', async () => {
  await Promise.all(Array.from({ length: 51 }, () => office.lena()))
  const page = await open('/icon.svg', { as: school })
  const asked: URLSearchParams[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/v1/records') asked.push(searchParams)
  })
  await page.clock.install({ time: `${TODAY}T06:00:00Z` })
  await page.goto(`${service().url}/records?running=true&show=all`)
  await page.getByRole('button', { name: 'All 51' }).waitFor()
  await expect.poll(() => page.getByRole('group').filter({ hasText: 'Vogt' }).count()).toBe(51)
  expect(asked.map((query) => [query.get('limit'), query.has('cursor')])).toEqual([
    ['50', false],
    ['50', true],
  ])
})

it('takes the signatures of the school and the student on the card, drawn or typed', async () => {
  const student = await ended('Vogt')
  const page = await open(`/students?student=${student.id}`, { as: school })
  const card = page.getByRole('dialog').first()
  await card.getByText('Training record').click()
  await card.getByRole('button', { name: 'Sign for the school' }).click()
  const form = page.getByRole('dialog', { name: 'Training record' })
  await form.getByLabel('Name').fill('Ada Adler')
  const pad = await form.getByLabel('Sign here').boundingBox()
  if (!pad) throw new Error('no pad')
  await page.mouse.move(pad.x + 20, pad.y + 20)
  await page.mouse.down()
  await page.mouse.move(pad.x + 80, pad.y + 60, { steps: 5 })
  await page.mouse.up()
  await form.getByRole('button', { name: 'Done' }).click()
  await form.waitFor({ state: 'hidden' })
  await card.getByRole('button', { name: 'Let the student sign' }).click()
  await form.getByRole('button', { name: 'Done' }).click()
  await form.waitFor({ state: 'hidden' })
  const [enrolment] = (await office.enrolments(student)) as [Row]
  const signatures = must(200, await school.client.get(`/enrolments/${enrolment.id}/signatures`))
  expect(signatures.map(({ as, name, state }: Row) => [as, name, state])).toEqual([
    ['school', 'Ada Adler', 'valid'],
    ['student', 'Eva Vogt', 'valid'],
  ])
  await expect.poll(() => card.getByRole('button', { name: /[Ss]ign/ }).count()).toBe(0)
})
