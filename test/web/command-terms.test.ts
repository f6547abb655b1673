import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { daysLater } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** The day on the clock of the pages. */
const TODAY = '2032-03-01'

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  await school.instructor()
  await school.student()
})

const chosen = () => page.getByRole('listbox').getByRole('option', { selected: true })

async function at(address: string, options: Parameters<typeof open>[1] = {}): Promise<void> {
  page = await open('/icon.svg', { ...options, as: school })
  await page.clock.setFixedTime(`${TODAY}T08:30:00Z`)
  await page.goto(`${service().url}${address}`)
  await page.getByRole('navigation').waitFor()
}

/** Opens the bar by its key and types. */
async function search(text: string): Promise<void> {
  await page.keyboard.press('/')
  await page.locator('[role=combobox]:focus').waitFor()
  await page.keyboard.type(text)
}

describe('the command bar', () => {
  it.each([
    [
      'en-GB',
      [
        ['theory', /^Book: Theorieunterricht Grundstoff$/],
        ['Gruppe', /^Book: Theorieunterricht Grundstoff$/],
        ['exam', /^Book: Praktische Prüfung$/],
        ['absence', /^Record absence$/],
        ['vacation', /^Record absence$/],
        ['krank', /^Record absence$/],
        ['import', /^Import$/],
        ['no-show', /^Missed lessons$/],
        ['holiday', /^Settings$/],
        ['password', /^My account$/],
      ] as const,
    ],
    [
      'de-DE',
      [
        ['Theorie', /^Buchen: Theorieunterricht Grundstoff$/],
        ['group', /^Buchen: Theorieunterricht Grundstoff$/],
        ['Prüfung', /^Buchen: Praktische Prüfung$/],
        ['abwesend', /^Ausfall eintragen$/],
        ['Urlaub', /^Ausfall eintragen$/],
        ['sick', /^Ausfall eintragen$/],
        ['Import', /^Importieren$/],
        ['Fahrzeug', /^Einstellungen$/],
        ['einladen', /^Benutzer$/],
      ] as const,
    ],
  ])('finds commands in %s by English and German terms', async (locale, rows) => {
    await at('/', { locale })
    await search('')
    for (const [typed, name] of rows) {
      await page.getByRole('combobox').fill(typed)
      await page.getByRole('option', { name }).first().waitFor()
    }
  })

  it('opens the booking form for a lesson type, the import dialog, and the absence page', async () => {
    await at('/')
    await search('theory')
    await chosen().getByText('Book: Theorieunterricht Grundstoff').waitFor()
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Book lesson' })
    await expect.poll(() => form.getByLabel('Type').first().inputValue()).toBe('Theorieunterricht Grundstoff')
    await page.keyboard.press('Escape')
    await search('import')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Import students' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/students$/)
    await search('sick')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'An absence or a closed day' }).waitFor()
  })

  it.each([
    ['en-GB', 'übermorgen', 2],
    ['en-GB', 'gestern', -1],
    ['en-GB', 'heute', 0],
    ['de-DE', 'tomorrow', 1],
  ])('in %s: "%s" opens the day %i days from today', async (locale, typed, days) => {
    await at('/students', { locale })
    await search(typed)
    await chosen().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('date') === daysLater(TODAY, days))
  })
})
