import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

let school: School
let page: Page
let dialog: Locator
let classes: Readonly<Record<string, Row>>

beforeEach(async () => {
  school = await aSchool(service())
  const { body } = await school.client.get('/license-class-templates')
  classes = Object.fromEntries(body.map((one: Row & { code: string }) => [one.code, one]))
})

async function at(path: string): Promise<void> {
  page = await open(path, { as: school })
  await page.getByRole('heading', { level: 1 }).waitFor()
  dialog = page.getByRole('dialog')
}

const hide = async (...hidden_license_classes: string[]) =>
  must(200, await school.client.patch('/tenant', { hidden_license_classes }))
const hidden = async () => (await school.client.get('/tenant')).body.hidden_license_classes
const taught = async (id: string) => (await school.client.get(`/instructors/${id}`)).body.license_classes
const listed = (name: string | RegExp) => page.getByRole('option', { name })
const press = (key: string) => page.keyboard.press(key)

async function save(): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(/^Saved/).waitFor()
}

describe('licence classes', () => {
  it('can be turned off and on in the settings', async () => {
    await hide('T')
    await at('/settings?chapter=lessons')
    const offered = page.getByRole('group', { name: 'Licence classes' })
    const button = (name: string) => offered.getByRole('button', { name, exact: true })
    await expect.poll(() => button('T').getAttribute('aria-pressed')).toBe('false')
    await expect.poll(() => button('B').getAttribute('aria-pressed')).toBe('true')
    await button('DE').click()
    await button('T').focus()
    await press('Space')
    await save()
    await expect.poll(() => hidden()).toEqual(['DE'])
  })

  it('that are turned off are not listed for a student, except the current class', async () => {
    await hide('T', 'L')
    const { id } = await school.student({ license_class_template_id: classes.T?.id ?? null })
    await at(`/students?student=${id}`)
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByRole('combobox', { name: 'Class' }).click()
    await listed('Klasse T').waitFor()
    await expect.poll(() => listed('Klasse L').count()).toBe(0)
    await listed('Klasse AM').click()
    await dialog.getByRole('combobox', { name: 'Class' }).click()
    await listed('Klasse T').waitFor()
  })

  it('that are turned off are not listed for an instructor, but kept if already assigned', async () => {
    await hide('T', 'L')
    const { id } = await school.instructor({ license_classes: ['B', 'L', 'Segway'] })
    await at(`/instructors?instructor=${id}`)
    const field = dialog.getByRole('combobox', { name: 'Classes' })
    await field.click()
    await listed('BE').waitFor()
    await expect.poll(() => listed(/^(T|B)$/).count()).toBe(0)
    await field.fill('be')
    await press('Enter')
    await dialog.getByRole('button', { name: 'Remove class B', exact: true }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => taught(id)).toEqual(['L', 'Segway', 'BE'])
  })

  it('that do not exist are marked as invalid and not saved', async () => {
    const { id } = await school.instructor({ license_classes: ['B'] })
    await at(`/instructors?instructor=${id}`)
    await dialog.getByRole('combobox', { name: 'Classes' }).fill('Hubschrauber')
    await press('Tab')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => dialog.getByRole('combobox', { name: 'Classes' }).getAttribute('aria-invalid'))
      .toBe('true')
    await expect.poll(() => taught(id)).toEqual(['B'])
  })
})
