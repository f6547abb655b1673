import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { localToday } from '../../src/domain/time-zone.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
const open = useBrowser(service)
const today = localToday(new Date(), 'Europe/Berlin')

let school: School
let id: string
let page: Page
let clicks = 0

beforeEach(async () => {
  school = await aSchool(service())
  const license_class_template_id = await templateOf(school, 'B')
  ;({ id } = await school.student({ license_class_template_id }))
  page = await open('/students', { as: school })
  clicks = 0
})

const card = () => page.getByRole('dialog', { name: 'Vogt' })
const form = (name: string) => page.getByRole('dialog', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const enrolments = async (): Promise<Row[]> =>
  must(200, await school.client.get(`/students/${id}/enrolments`))

async function click(what: Locator): Promise<void> {
  await what.click()
  clicks += 1
}

async function choose(label: string, option: string | RegExp): Promise<void> {
  await click(
    page
      .getByRole('combobox', { name: label })
      .or(page.getByLabel(label, { exact: true }))
      .first(),
  )
  await click(page.getByRole('option', { name: option }).first())
}

async function openCard(): Promise<void> {
  await click(page.getByRole('button', { name: /Lena Vogt/ }).first())
  await card().getByText('Klasse B (Schaltgetriebe)', { exact: true }).waitFor()
}

describe('the trainings of a student', () => {
  it('show the class, its law, the begin, what is missing and the next step', {
    tags: 'promise',
  }, async () => {
    await openCard()
    await card()
      .getByText(/since .*FahrschAusbO/)
      .waitFor()
    await card().getByText('Classes held not recorded').waitFor()
    await card()
      .getByText(/Collect papers: .*photo, sight test/)
      .waitFor()
    await card().getByRole('button', { name: 'First aid course', exact: true }).waitFor()
  })

  it('have a paper in three clicks with its date, and undo takes it back', async () => {
    await openCard()
    await click(card().getByRole('button', { name: 'Sight test', exact: true }))
    await click(form('Sight test').getByRole('button', { name: 'Save' }))
    await page.getByText('Entered: Sight test, Lena Vogt').waitFor()
    expect(clicks).toBeLessThanOrEqual(3)
    await card()
      .getByText(/^Expires next: sight test/)
      .waitFor()
    await page.keyboard.press('Control+z')
    await card().getByRole('button', { name: 'Sight test', exact: true }).waitFor()
  })

  it('begin for a second class in at most six clicks', async () => {
    await openCard()
    await click(button('Another class'))
    await choose('Class', /A1/)
    await click(form('New training').getByRole('button', { name: 'Save' }))
    await page.getByText(/^Training begun: Klasse A1.*, Lena Vogt/).waitFor()
    expect(clicks).toBeLessThanOrEqual(6)
    expect((await enrolments()).map((one) => [one.license_class, one.is_current]).toSorted()).toEqual([
      ['A1', true],
      ['B', false],
    ])
    await page.keyboard.press('Control+z')
    await expect.poll(enrolments).toMatchObject([{ license_class: 'B', is_current: true }])
  })

  it('change the class in place in at most six clicks', async () => {
    await openCard()
    await click(button('Training for B'))
    await choose('Class', /197/)
    await click(form('Training for B').getByRole('button', { name: 'Save' }))
    await card()
      .getByText(/^Klasse B .*197/)
      .waitFor()
    expect(clicks).toBeLessThanOrEqual(6)
    expect(await enrolments()).toHaveLength(1)
    await page.keyboard.press('Control+z')
    await card().getByText('Klasse B (Schaltgetriebe)', { exact: true }).waitFor()
  })

  it('are replaced by one for another class in at most six clicks, and come back', async () => {
    const [{ id: b }] = (await enrolments()) as [Row]
    must(200, await school.client.put(`/enrolments/${b}/ticks/photo`, { date: today }))
    await openCard()
    await click(button('Training for B'))
    await choose('Class', /A1/)
    await form('Training for B').getByText('The training for B ends today').waitFor()
    await click(form('Training for B').getByRole('button', { name: 'Save' }))
    await card()
      .getByText(/^Klasse A1/)
      .waitFor()
    await card()
      .getByText(/changed class/)
      .waitFor()
    expect(clicks).toBeLessThanOrEqual(6)
    await page.keyboard.press('Control+z')
    await expect.poll(enrolments).toMatchObject([{ license_class: 'B', outcome: null, is_current: true }])
  })

  it('end with a move to another school in at most six clicks', async () => {
    await openCard()
    await click(button('Training for B'))
    await choose('Outcome', 'moved to another school')
    await click(form('Training for B').getByRole('button', { name: 'Save' }))
    await card()
      .getByText(/moved to another school/)
      .waitFor()
    expect(clicks).toBeLessThanOrEqual(6)
    expect(await enrolments()).toMatchObject([{ outcome: 'moved', ends_on: today }])
    await page.keyboard.press('Control+z')
    await expect.poll(enrolments).toMatchObject([{ outcome: null, ends_on: null }])
  })

  it('have a cooperation with another school in at most six clicks', async () => {
    await openCard()
    await click(button('Training for B'))
    await choose('Cooperation', 'We commission another school')
    await click(form('Training for B').getByLabel('Other school', { exact: true }))
    await page.keyboard.type('Fahrschule Süd')
    await page.keyboard.press('Enter')
    await card()
      .getByText(/We commission another school: Fahrschule Süd/)
      .waitFor()
    expect(clicks).toBeLessThanOrEqual(6)
  })

  it('have a credit in at most six clicks, and undo takes it back', async () => {
    await openCard()
    await click(card().getByText('Prior units'))
    await click(card().getByRole('button', { name: 'Add units' }))
    const credit = form('Prior units')
    await click(credit.getByLabel('Units', { exact: true }))
    await page.keyboard.type('3')
    await click(credit.getByLabel('Source'))
    await page.keyboard.type('Fahrschule Süd')
    await page.keyboard.press('Enter')
    await card()
      .getByText(/^3 of them from before/)
      .waitFor()
    expect(clicks).toBeLessThanOrEqual(6)
    await page.keyboard.press('Control+z')
    const balance = async () => must(200, await school.client.get(`/students/${id}/opening-balance`))
    await expect.poll(balance).toEqual([])
  })

  it('have a credit beside the current one in at most six clicks, and undo takes it back', async () => {
    const [{ id: b }] = (await enrolments()) as [Row]
    const template_id = await templateOf(school, 'A1')
    must(201, await school.client.post(`/students/${id}/enrolments`, { template_id }))
    const credits = async () => must(200, await school.client.get(`/enrolments/${b}/credits`))
    const document = { minutes: 90, document: 'Nachweis 7', topics: ['Thema 1'] }
    const brought = { lesson_type_id: school.lessonTypes.RURAL, units: 2, date: today, school: 'Nord' }
    must(200, await school.client.put(`/enrolments/${b}/credits`, [{ ...brought, ...document }]))
    await openCard()
    const training = card().getByRole('listitem').filter({ hasText: 'Klasse B (Schaltgetriebe)' })
    await click(training.getByText('Prior units'))
    await training.getByText(/^2 u .*Nord/).waitFor()
    await click(training.getByRole('button', { name: 'Add units' }))
    const credit = form('Prior units: B')
    await click(credit.getByLabel('Units', { exact: true }).last())
    await page.keyboard.type('3')
    await page.keyboard.press('Enter')
    await expect.poll(credits).toMatchObject([document, { units: 3, school: 'Nord' }])
    await training.getByText(/^Last changed by Anna Office/).waitFor()
    expect(clicks).toBeLessThanOrEqual(6)
    await credit.waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+z')
    await expect.poll(credits).toMatchObject([{ ...brought, ...document }])
    await expect.poll(credits).toHaveLength(1)
  })

  it('have the day since which another class is held', async () => {
    await openCard()
    await click(button('Training for B'))
    await choose('Classes held', 'A1')
    await click(form('Training for B').getByLabel('A1 held since'))
    await page.keyboard.type('2020-03-01')
    await page.keyboard.press('Enter')
    await expect
      .poll(enrolments)
      .toMatchObject([{ prior_classes: [{ license_class: 'A1', since: '2020-03-01' }] }])
  })

  it('are deleted with one button, come back, and stay if something belongs to them', async () => {
    await openCard()
    const remove = async () => {
      await click(button('Training for B'))
      await click(form('Training for B').getByRole('button', { name: 'Delete training' }))
    }
    await remove()
    await page.getByText(/^Training deleted/).waitFor()
    expect(await enrolments()).toEqual([])
    await page.keyboard.press('Control+z')
    await expect.poll(enrolments).toMatchObject([{ license_class: 'B', is_current: true }])
    const [{ id: b }] = (await enrolments()) as [Row]
    must(200, await school.client.put(`/enrolments/${b}/ticks/photo`, { date: today }))
    await remove()
    await form('Training for B').getByText('This training has lessons, prior units or papers.').waitFor()
  })

  it('say why another training cannot begin', async () => {
    await openCard()
    await click(button('Another class'))
    await choose('Class', /A1/)
    must(
      201,
      await school.client.post(`/students/${id}/enrolments`, { template_id: await templateOf(school, 'A1') }),
    )
    await click(form('New training').getByRole('button', { name: 'Save' }))
    await form('New training').getByText('A training for this class is already in progress.').waitFor()
  })
})

describe('the list of students', () => {
  const names = () => page.getByRole('listitem').getByRole('button', { name: /Lena|Mia/ })

  it('shows those without an address, or without prior classes, in one click', async () => {
    const license_class_template_id = await templateOf(school, 'B')
    const asked = { license_class_template_id, prior_classes: [], first_name: 'Mia' }
    await school.student({ ...asked, address: 'Allee 5\n01099 Dresden' })
    await page.reload()
    await page.getByText('2 students').waitFor()
    for (const name of [/^Without address 1$/, /^Classes held not recorded 1$/]) {
      await page.getByRole('button', { name }).click()
      await page.getByText('1 student', { exact: true }).waitFor()
      await names().filter({ hasText: 'Lena Vogt' }).waitFor()
      await page.getByRole('button', { name }).click()
      await page.getByText('2 students').waitFor()
    }
  })

  it('names the papers that are missing', async () => {
    await page.getByRole('button', { name: /^Papers missing/ }).click()
    await page.getByText(/^training contract, .*sight test, first aid course$/).waitFor()
  })
})

describe('the form of a new student', () => {
  it('asks for the address and the classes held', async () => {
    await page.getByRole('button', { name: 'New student' }).first().click()
    const form = page.getByRole('dialog', { name: 'New student' })
    await form.getByLabel('First name').fill('Mia')
    await form.getByLabel('Last name').fill('Groß')
    await form.getByLabel('Address').fill('Allee 5\n01099 Dresden')
    await choose('Class', /Klasse BE/)
    await choose('Classes held', 'B')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Classes held: B', { exact: true }).waitFor()
    const students: Row[] = must(200, await school.client.get('/students?with=enrolments'))
    expect(students.find(({ first_name }) => first_name === 'Mia')).toMatchObject({
      address: 'Allee 5\n01099 Dresden',
      enrolments: [{ license_class: 'BE', prior_classes: [{ license_class: 'B', since: null }] }],
    })
  })
})
