import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { enquiriesOf, openForm, sendForm } from '../support/enquiries.ts'
import { aSchool } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
const open = useBrowser(service)
const PHONE = { viewport: { width: 390, height: 844 } }
const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

/** Serves a page that embeds the form. Returns its origin. */
async function aWebsite(form: () => string): Promise<string> {
  const server = createServer((_, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end(`<h1>Our school</h1><iframe src="${form()}" width="100%" height="1400"></iframe>`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it.each([
  ['desktop', {}],
  ['phone', PHONE],
])(
  'a visitor sends the form in a page of a listed origin, and sees none in another (%s)',
  async (_, look) => {
    const school = await aSchool(service())
    let address = ''
    const [listed, other] = [await aWebsite(() => address), await aWebsite(() => address)]
    const slug = await openForm(school, { origins: [listed], text: 'We call you back.' })
    address = `${service().url}/e/${slug}?lang=en`
    const page = await open('/login', { javaScriptEnabled: false, breaks: /frame-ancestors/, ...look })
    await page.goto(listed)
    const form = page.frameLocator('iframe')
    await form.getByText('We call you back.').waitFor()
    await form.getByLabel('First name').fill('Mia')
    await form.getByLabel('Last name').fill('Wolf')
    await form.getByLabel('Phone').fill('+49 30 5550199')
    await form.getByLabel('Licence class').selectOption('B')
    await form.getByLabel('Tuesday').check()
    await form.getByLabel(/I agree/).check()
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByRole('heading', { name: 'Thank you' }).waitFor()
    expect(await page.context().cookies()).toEqual([])
    expect(await enquiriesOf(school)).toMatchObject([{ first_name: 'Mia', weekdays: [2], language: 'en' }])
    const refused = page.waitForEvent('console', (one) => /frame-ancestors/.test(one.text()))
    await page.goto(other)
    await refused
    expect(await form.getByLabel('First name').count()).toBe(0)
  },
)

it.each([
  ['desktop', {}],
  ['phone', PHONE],
])('the office enrols an enquiry, undoes it, and closes another (%s)', async (_, look) => {
  const school = await aSchool(service())
  const slug = await openForm(school)
  const old = await school.student({ first_name: 'Mia', last_name: 'Wolf' })
  const page = await open('/inbox', { as: school, ...look })
  await page.getByText('Nothing new yet').waitFor()
  must(202, await sendForm(service(), slug, { weekday: '2', time_from: '16:00' }))
  // A followed change brings the news, and later the next enquiry into the list.
  await page.getByText('Mia Wolf asks about lessons: class B.').waitFor()
  await page.getByRole('link', { name: 'Open the enquiries' }).click()
  const mia = page.getByRole('listitem', { name: 'Mia Wolf' })
  await mia.getByText('Would like: Tuesday, 16:00–24:00').waitFor()
  await mia.getByRole('link', { name: '+49 30 5550199' }).waitFor()
  await mia.getByText('Possibly the same person').waitFor()
  expect(await mia.getByRole('link', { name: 'Mia Wolf' }).getAttribute('href')).toContain(old.id)
  must(202, await sendForm(service(), slug, { first_name: 'Tom', last_name: 'Kaya', phone: '1234567' }))
  const tom = page.getByRole('listitem', { name: 'Tom Kaya' })
  await tom.getByRole('button', { name: 'Close the enquiry of Tom Kaya' }).click()
  await tom.getByText('Closed.').waitFor()
  await mia.getByRole('button', { name: 'Enrol Mia Wolf' }).click()
  await page.waitForURL(/\/students\?student=/)
  const [made] = await enquiriesOf(school, '?state=enrolled')
  expect(page.url()).toContain(made?.student_id)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(async () => (await enquiriesOf(school, '?state=new')).length).toBe(1)
})

it('the class of an enquiry is proposed for the training of the student who was enrolled from it', async () => {
  const school = await aSchool(service())
  const slug = await openForm(school, { classes: ['B', 'BF17'] })
  must(202, await sendForm(service(), slug, { license_class: 'BF17' }))
  const page = await open('/enquiries', { as: school })
  await page.getByRole('button', { name: 'Enrol Mia Wolf' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add a class' }).click()
  const form = page.getByRole('dialog', { name: 'New training' })
  await expect.poll(() => form.getByLabel('Class', { exact: true }).inputValue()).toMatch(/BF17/)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  const [student] = (await school.client.get('/students')).body
  expect(student.license_class_template_id).toBe(await templateOf(school, 'BF17'))
})

it('the owner sets up the form, and copies its address and the snippet', async () => {
  const school = await aSchool(service())
  const page = await open('/settings?chapter=students', { as: school })
  const group = page.getByRole('group', { name: 'Enquiries from the website' })
  await group.getByRole('switch', { name: 'Open the form' }).click()
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await expect.poll(() => save.isDisabled()).toBe(true)
  const slug = `nord-${school.tenantId}`
  await group.getByLabel('Name in the address').fill(slug.toUpperCase())
  await group.getByLabel('Websites that may embed the form').fill('https://www.nord.example/contact')
  await save.click()
  const stored = async () => (await school.client.get('/tenant')).body.enquiries
  const origins = ['https://www.nord.example']
  await expect.poll(stored).toMatchObject({ enabled: true, slug, origins, classes: [], text: null })
  const address = await group.getByLabel('Address of the form').inputValue()
  expect(address).toMatch(new RegExp(`/e/${slug}$`))
  expect(await group.getByLabel('To embed in your website').inputValue()).toContain(`src="${address}"`)
  const other = await aSchool(service())
  const second = await open('/settings?chapter=students', { as: other })
  const theirs = second.getByRole('group', { name: 'Enquiries from the website' })
  await theirs.getByLabel('Name in the address').fill(slug)
  await second.getByRole('button', { name: 'Save', exact: true }).click()
  await second.getByText('Another school already has this name').waitFor()
})
