import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

it('branches are entered with their ways, and a way that is too long warns', async () => {
  const school = await aSchool(service())
  const north = (await school.client.post('/locations', { name: 'North' })).body
  const { id: instructor_id } = await school.instructor({ location_id: north.id })
  const page = await open('/settings', { as: school })
  await page.getByRole('button', { name: 'Add branch' }).click()
  const name = page.getByLabel('New branch: Name')
  await name.fill('South')
  await name.press('Tab')
  const way = page.getByLabel('To North')
  await way.fill('25')
  await way.press('Tab')
  const list = async (): Promise<Row[]> => (await school.client.get('/locations')).body
  await expect
    .poll(async () => (await list())[0]?.travel_minutes)
    .toEqual({
      [String((await list())[1]?.id)]: 25,
    })
  const south = (await list())[1]
  await school.lesson({ instructor_id, start_at: '2099-03-02 08:00', end_at: '2099-03-02 09:30' })
  const near = { start_at: '2099-03-02 09:40', end_at: '2099-03-02 11:10' }
  const lesson = await school.lesson({ instructor_id, ...near })
  await page.goto(`${service().url}/?date=2099-03-02&lesson=${lesson.id}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
  const branch = page.getByRole('combobox', { name: 'Branch' })
  await branch.fill('South')
  await page.getByRole('option', { name: 'South' }).click()
  await page.getByText('takes 25 minutes; only 10 are free').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').getByRole('definition').filter({ hasText: 'South' }).waitFor()
  expect((await school.client.get(`/appointments/${lesson.id}`)).body.location_id).toBe(south?.id)
})

it('a school without branches sees nothing of them', async () => {
  const school = await aSchool(service())
  await school.instructor()
  const page = await open('/?date=2099-03-02', { as: school })
  await page.getByRole('button', { name: 'Book lesson' }).first().click()
  await page.getByLabel('Pick-up place').waitFor()
  expect(await page.getByRole('combobox', { name: 'Branch' }).count()).toBe(0)
})
