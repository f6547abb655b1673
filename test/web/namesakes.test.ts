import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

it('namesakes are told apart in the form, on the board, in the command bar, lists and changes, and on the day sheet', async () => {
  const school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  const anna = { first_name: 'Anna', last_name: 'Müller' }
  const older = await school.student({ ...anna, birth_date: '2005-05-03', phone: '030 5550101' })
  await school.student({ ...anna, birth_date: '2006-08-12', phone: '030 5550102' })
  const golf = must(
    201,
    await school.client.post('/vehicles', { name: 'Golf', kind: 'car', plate: 'B AB 1' }),
  )
  await school.lesson({
    ...{ instructor_id, student_id: older.id, vehicle_ids: [golf.id], pickup_place: 'Bahnhof' },
    ...{ start_at: `${DATE} 10:00`, end_at: `${DATE} 11:30` },
  })
  const page = await open(`/?date=${DATE}`, { as: school })
  await page.locator('[data-lesson]').getByText('Anna Müller (3 May 2005)').waitFor()
  await page.keyboard.press('n')
  await page.getByRole('dialog').getByLabel('Student').first().fill('anna')
  const options = page.getByRole('option')
  await options.getByText('12 August 2006 · 030 5550102').waitFor()
  await options.getByText('3 May 2005 · 030 5550101').waitFor()
  await page.keyboard.press('Escape')
  await page.goto(`${service().url}/day-sheet?day=${DATE}&instructor=${instructor_id}`)
  await page.getByText('Anna Müller (3 May 2005)').first().waitFor()
  await page.getByText('Golf B AB 1 · Bahnhof').waitFor()
  await page.keyboard.press('/')
  await page.locator('[role=combobox]:focus').waitFor()
  await page.keyboard.type('anna')
  await page.getByRole('option', { name: /Anna Müller \(12 August 2006\)/ }).waitFor()
  await expect.poll(() => page.getByRole('option', { name: /Anna Müller/ }).count()).toBe(2)
  await page.goto(`${service().url}/students`)
  await page.getByText('Anna Müller (12 August 2006)').waitFor()
  await page.getByText('Anna Müller (3 May 2005)').click()
  await page.getByRole('dialog', { name: 'Anna Müller (3 May 2005)' }).waitFor()
  await page.goto(`${service().url}/changes?kind=student`)
  await page.getByRole('link', { name: 'Anna Müller (3 May 2005)' }).waitFor()
  await page.getByRole('link', { name: 'Anna Müller (12 August 2006)' }).waitFor()
})
