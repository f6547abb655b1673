import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'
const COUNTRY_ROADS = 'Überlandfahrt (Sonderfahrt)'

let school: School
let page: Page
let dialog: Locator

beforeEach(async () => {
  school = await aSchool(service())
  await school.student({ first_name: 'Zeynep', last_name: 'Aksoy' })
  await school.student({ first_name: 'Mert', last_name: 'Kayaoğlu' })
  await school.student({ first_name: 'Emma', last_name: 'Kaya', phone: '+49 30 5550145' })
  await school.student({ first_name: 'Günther', last_name: 'Böhm' })
  await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
  page = await open(`/?date=${DATE}`, { as: school })
  await page.locator('.column-head').first().waitFor()
  await page.keyboard.press('n')
  dialog = page.getByRole('dialog')
  await dialog.locator('input:focus').waitFor()
})

const field = (name: string) => dialog.getByRole('combobox', { name, exact: true })
const press = async (...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const says = (name: string, text: string) => expect.poll(() => field(name).inputValue()).toBe(text)

async function choose(name: string, letters: string, key: 'Tab' | 'Enter'): Promise<void> {
  await field(name).focus()
  await page.keyboard.type(letters)
  await dialog.getByRole('option', { selected: true }).first().waitFor()
  await press(key)
}

describe('a combobox with a long list', () => {
  it('replaces the selection with the best match on Tab or Enter', async () => {
    await choose('Student', 'zey', 'Enter')
    await says('Student', 'Zeynep Aksoy')
    await press('Tab', 'Shift+Tab')
    await page.keyboard.type('kaya')
    await press('Tab')
    await says('Student', 'Emma Kaya')
    await choose('Student', 'gunther', 'Enter')
    await page.keyboard.type('030555')
    await press('Enter')
    await says('Student', 'Emma Kaya')
    await expect.poll(() => dialog.count()).toBe(1)
  })

  it('selects the best match in the fields for instructors, lesson types and classes', async () => {
    await choose('Instructor', 'sei', 'Tab')
    await says('Instructor', 'Mira Seidel')
    await choose('Type', 'uberl', 'Tab')
    await says('Type', COUNTRY_ROADS)
    await dialog.getByRole('button', { name: 'New student' }).click()
    dialog = page.getByRole('dialog', { name: 'New student' })
    await choose('Class', 'b', 'Enter')
    await says('Class', 'Klasse B (Schaltgetriebe)')
    await choose('Class', 'b197', 'Tab')
    await says('Class', 'Klasse B mit Schlüsselzahl 197')
    await choose('Class', 'klasse be', 'Tab')
    await says('Class', 'Klasse BE')
    await choose('Preferred instructor', 'bra', 'Enter')
    await says('Preferred instructor', 'Jonas Brandt')
  })

  it('keeps a text without a match, reports it, and blocks the form until it is corrected', {}, async () => {
    await choose('Instructor', 'jonas', 'Tab')
    await choose('Student', 'zey', 'Tab')
    await field('Student').focus()
    await page.keyboard.type('qqq')
    await dialog.getByText('Nobody found').waitFor()
    await press('Enter')
    await dialog.getByLabel('Notes').click()
    await dialog.getByText('Choose from the list.').waitFor()
    await says('Student', 'qqq')
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await page.locator('input:focus:invalid').waitFor()
    expect((await school.client.get(`/appointments?from=${DATE}&to=2032-03-02`)).body).toEqual([])
    await field('Student').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('emma')
    await field('Type').click()
    await field('Student').click()
    await press('Enter')
    await says('Student', 'Emma Kaya')
    await expect.poll(() => dialog.getByText('Choose from the list.').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByText(/^Booked: Emma Kaya/).waitFor()
  })

  it('restores the selection on Escape and leaves the dialog open', async () => {
    await choose('Type', 'uberl', 'Tab')
    await field('Type').focus()
    await page.keyboard.type('auto')
    await dialog.getByRole('option', { selected: true }).waitFor()
    await press('Escape')
    await says('Type', COUNTRY_ROADS)
    await press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  it('accepts an empty value only if the field is optional', async () => {
    await choose('Student', 'zey', 'Tab')
    await field('Student').focus()
    await press('Delete', 'Tab')
    await says('Student', '')
    await expect.poll(() => dialog.getByText('Choose from the list.').count()).toBe(0)
    await field('Type').focus()
    await press('Delete', 'Tab')
    await dialog.getByText('Choose from the list.').waitFor()
  })
})

it('a truncated list shows how many more entries there are', async () => {
  await Promise.all(
    Array.from({ length: 50 }, (_, count) =>
      school.student({ first_name: 'Ida', last_name: `Nummer ${count}` }),
    ),
  )
  await field('Student').click()
  await dialog.getByText('4 more: type more letters.').waitFor()
  await page.keyboard.type('nummer 4')
  await dialog.getByText(/more: type/).waitFor({ state: 'detached' })
  await expect.poll(() => dialog.getByRole('option').first().innerText()).toContain('Ida Nummer 4')
})

it('a lesson is booked with at most twelve key presses', async () => {
  let keys = 1
  const strike = async (...struck: readonly string[]) => {
    keys += struck.length
    await press(...struck)
  }
  const marks = (name: string) => dialog.getByRole('option', { selected: true, name }).waitFor()
  await strike('k', 'a', 'y')
  await marks('Emma Kaya')
  await strike('Enter')
  while ((await dialog.locator('input:focus').count()) === 0 || !(await isAt('Instructor')))
    await strike('Tab')
  await strike('m')
  await marks('Mira Seidel')
  await strike('Enter')
  await dialog.getByText('Possible', { exact: true }).waitFor()
  await strike('Enter')
  await page.getByText(/^Booked: Emma Kaya/).waitFor()
  expect(keys).toBeLessThanOrEqual(12)
})

const isAt = (name: string) => field(name).evaluate((input) => input === input.ownerDocument.activeElement)
