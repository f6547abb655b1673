import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { handleFirst, useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

const named = async ({ client }: School, name: string): Promise<Row | undefined> =>
  (await client.get('/locations')).body.find((one: Row) => one.name === name)

it('the settings store a new branch with travel times, and the lesson form warns about a short gap', async () => {
  const school = await aSchool(service())
  const north = (await school.client.post('/locations', { name: 'North' })).body
  const { id: instructor_id } = await school.instructor({ location_id: north.id })
  const page = await open('/settings?chapter=branches', { as: school })
  await page.getByRole('button', { name: 'Add branch' }).click()
  const name = page.getByLabel('New branch: Name')
  await name.fill('South')
  await name.press('Enter')
  const way = page.getByLabel('To North')
  await way.fill('25')
  await way.press('Tab')
  await expect.poll(async () => (await named(school, 'South'))?.travel_minutes).toEqual({ [north.id]: 25 })
  const south = await named(school, 'South')
  await school.lesson({ instructor_id, start_at: '2099-03-02 08:00', end_at: '2099-03-02 09:30' })
  const near = { start_at: '2099-03-02 09:40', end_at: '2099-03-02 11:10' }
  const lesson = await school.lesson({ instructor_id, ...near })
  await page.goto(`${service().url}/?date=2099-03-02&lesson=${lesson.id}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'More: Title, Branch, Pick-up place' }).click()
  const branch = page.getByRole('combobox', { name: 'Branch' })
  await branch.fill('South')
  await page.getByRole('option', { name: 'South' }).click()
  await page.getByText('takes 25 minutes; only 10 are free').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog').getByRole('definition').filter({ hasText: 'South' }).waitFor()
  expect((await school.client.get(`/appointments/${lesson.id}`)).body.location_id).toBe(south?.id)
})

it('double clicks add one branch and one vehicle, and save an opening balance without a 412 response', async () => {
  const school = await aSchool(service())
  const student = await school.student()
  const page = await open('/settings?chapter=branches', { as: school })
  const conflicts: string[] = []
  page.on('response', (response) => {
    if (response.status() === 412) conflicts.push(response.url())
  })
  const rows = async (path: string): Promise<unknown[]> => (await school.client.get(path)).body
  for (const [add, path, kind, chapter] of [
    ['Add branch', '/locations', 'New branch', 'branches'],
    ['Add a vehicle', '/vehicles', 'New vehicle', 'vehicles'],
  ] as const) {
    await page.goto(`${service().url}/settings?chapter=${chapter}`)
    await page.getByRole('button', { name: add }).dblclick()
    const name = page.getByLabel(`${kind}: Name`)
    await name.fill('Only')
    await page.getByRole('button', { name: 'Save', disabled: false }).dblclick()
    await expect.poll(() => rows(path)).toMatchObject([{ name: 'Only' }])
  }
  await page.goto(`${service().url}/students?student=${student.id}`)
  const card = page.getByRole('dialog')
  await card.getByText('Prior units').click()
  await card.getByRole('button', { name: 'Add units' }).click()
  await card.getByLabel('Units', { exact: true }).fill('3')
  await card.getByLabel('Source').fill('Elsewhere')
  await card.getByRole('button', { name: 'Save' }).dblclick()
  await card.getByText(/^Last changed by/).waitFor()
  expect(conflicts).toEqual([])
})

it('the board can be limited to the instructors of one branch', async () => {
  const school = await aSchool(service())
  const [north, south] = [
    (await school.client.post('/locations', { name: 'North' })).body,
    (await school.client.post('/locations', { name: 'South' })).body,
  ]
  await school.instructor({ first_name: 'Nora', location_id: north.id })
  await school.instructor({ first_name: 'Sven', location_id: south.id })
  const page = await open('/?date=2099-03-02', { as: school })
  const column = (name: string) => page.locator('.column-name').filter({ hasText: name })
  await column('Nora').waitFor()
  await page.getByText('Instructors 2 of 2').click()
  const preset = page.getByRole('button', { name: 'South', exact: true })
  await preset.click()
  await column('Nora').waitFor({ state: 'detached' })
  await column('Sven').waitFor()
  await expect.poll(() => preset.getAttribute('aria-pressed')).toBe('true')
})

it('a search for times can be limited to the instructors of one branch', async () => {
  const school = await aSchool(service())
  const named = async (name: string) => (await school.client.post('/locations', { name })).body.id
  const [north, south] = [await named('North'), await named('South')]
  await school.instructor({ first_name: 'Nora', location_id: north })
  await school.instructor({ first_name: 'Sven', location_id: south })
  await school.student()
  const page = await open('/?date=2032-03-01', { as: school })
  await page.getByRole('button', { name: 'Book lesson' }).first().waitFor()
  await page.keyboard.press('f')
  const form = page.getByRole('dialog')
  await form.getByLabel('Student').first().fill('Lena')
  await page.getByRole('option', { name: /Lena/ }).click()
  await form.getByRole('radio', { name: /Nora/ }).first().waitFor()
  await form.getByLabel('Branch').first().selectOption({ label: 'South' })
  await form.getByRole('radio', { name: /Nora/ }).first().waitFor({ state: 'detached' })
  await form.getByRole('radio').first().waitFor()
  await form.getByRole('button', { name: /Sven/ }).first().waitFor()
})

it('the lesson form of a school without branches has no branch field', async () => {
  const school = await aSchool(service())
  await school.instructor()
  const page = await open('/?date=2099-03-02', { as: school })
  await page.getByRole('button', { name: 'Book lesson' }).first().click()
  await page.getByRole('button', { name: 'More: Title, Pick-up place' }).click()
  await page.getByLabel('Pick-up place').waitFor()
  expect(await page.getByRole('combobox', { name: 'Branch' }).count()).toBe(0)
})

it('a branch keeps its focused field and unsaved input while an earlier field is saved', async () => {
  const school = await aSchool(service())
  await school.instructor()
  for (const one of ['East', 'North']) await school.client.post('/locations', { name: one })
  const page = await open('/settings?chapter=branches', { as: school })
  const asked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  await handleFirst(page, '**/locations/*', async (route) => {
    asked.resolve()
    await go.promise
    await route.continue()
  })
  await page.getByLabel('East: Name').fill('South')
  await page.getByLabel('East: Address').fill('Main street 1')
  await asked.promise
  go.resolve()
  const address = page.getByLabel('South: Address')
  await address.and(page.locator(':focus')).waitFor()
  expect(await address.inputValue()).toBe('Main street 1')
  await address.press('End')
  await page.keyboard.type('2')
  await page.keyboard.press('Tab')
  const minutes = page.getByRole('listitem').filter({ has: address }).getByLabel('To North')
  await minutes.fill('1.5')
  await minutes.press('Tab')
  await minutes.fill('25')
  // Each save waits for the previous one, which has changed this branch, too.
  await page.getByLabel('North: Name').fill('Upper')
  await page.keyboard.press('Tab')
  await expect.poll(() => named(school, 'Upper')).toBeDefined()
  const { id, ...south } = (await named(school, 'South')) ?? {}
  const upper = await named(school, 'Upper')
  expect(south).toMatchObject({ address: 'Main street 12', travel_minutes: { [String(upper?.id)]: 25 } })
  expect(upper?.travel_minutes).toEqual({ [String(id)]: 25 })
})

it('the settings ask before input in a branch that is invalid or was rejected is lost, and not after it is saved', async () => {
  const school = await aSchool(service())
  for (const one of ['East', 'North']) await school.client.post('/locations', { name: one })
  const page = await open('/settings?chapter=branches', { as: school })
  const question = page.getByRole('dialog', { name: 'Discard what you have filled in?' })
  const students = page.getByRole('link', { name: 'Students' })
  const asksAndStays = async () => {
    await students.click()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
  }
  const minutes = page
    .getByRole('listitem')
    .filter({ has: page.getByLabel('East: Name') })
    .getByLabel('To North')
  await minutes.fill('1.5')
  await asksAndStays()
  await expect.poll(() => minutes.inputValue()).toBe('1.5 min')
  await minutes.fill('')
  let isBroken = true
  const refusal = {
    status: 503,
    contentType: 'application/problem+json',
    body: '{"code":"unavailable","status":503}',
  }
  await page.route('**/locations/*', (route) => (isBroken ? route.fulfill(refusal) : route.continue()))
  const name = page.getByLabel('East: Name')
  await name.fill('South')
  await name.press('Tab')
  await page.getByRole('alert').waitFor()
  await asksAndStays()
  await expect.poll(() => name.inputValue()).toBe('South')
  isBroken = false
  await name.click()
  await name.press('Tab')
  await page.getByLabel('South: Name').waitFor()
  await students.click()
  await page.getByRole('heading', { name: 'Students' }).waitFor()
})

it('a copy of a lesson does not include its deleted branch', async () => {
  const school = await aSchool(service())
  const { body: north } = await school.client.post('/locations', { name: 'North' })
  const { id: instructor_id } = await school.instructor()
  const times = { start_at: '2099-03-02 08:00', end_at: '2099-03-02 09:30' }
  const lesson = await school.lesson({ instructor_id, location_id: north.id, ...times })
  await school.client.post(`/appointments/${lesson.id}/cancel`, { by: 'school' })
  expect((await school.client.delete(`/locations/${north.id}`)).status).toBe(204)
  const page = await open(`/?date=2099-03-02&lesson=${lesson.id}`, { as: school })
  await page.getByRole('button', { name: 'Same again next week' }).click()
  const copies = async (): Promise<Row[]> =>
    (await school.client.get('/appointments?from=2099-03-09&to=2099-03-09')).body
  await expect.poll(copies).toMatchObject([{ start_at: '2099-03-09 08:00', location_id: null }])
})
