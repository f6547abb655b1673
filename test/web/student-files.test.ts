import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  page = await open('/students', { as: school })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog().getByRole('button', { name: 'Choose a file' }).waitFor()
})

const dialog = () => page.getByRole('dialog').last()

async function choose(text: string): Promise<void> {
  // In the encoding of office spreadsheets.
  const buffer = Buffer.from(text, 'latin1')
  await dialog()
    .locator('input[type=file]')
    .setInputFiles({ name: 'schüler.csv', mimeType: 'text/csv', buffer })
}

async function names(): Promise<readonly string[]> {
  const { body } = await school.client.get('/students')
  return body.map((one: Record<string, string>) => `${one.first_name} ${one.last_name}`)
}

const FAULTY = 'Vorname;Nachname;E-Mail;Kundennr\nJürgen;Groß;keine;1\nMia;;;2\n'
const GOOD = [
  'Vorname;Nachname;E-Mail;Kundennr',
  'Jürgen;Groß;juergen@mail.example;1',
  'Lena;Vogt;;2',
  'Juergen;Gross;;3',
].join('\n')

describe('an import of students', () => {
  it('reports errors by line, finds duplicates in the corrected file, and stores its students', {
    tags: 'promise',
  }, async () => {
    await choose(FAULTY)
    await dialog().getByText('2 lines have errors.').waitFor()
    const faults = await dialog()
      .getByRole('list', { name: 'Lines with errors' })
      .getByRole('listitem')
      .allInnerTexts()
    expect(faults.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'Line 2 E-mail is not valid. keine',
      'Line 3 Last name is missing: there is one name only. Complete it, or tick the box above.',
    ])
    await expect
      .poll(() => dialog().getByRole('button', { name: 'Import', exact: true }).isDisabled())
      .toBe(true)
    await expect.poll(() => dialog().getByLabel('Field for Kundennr').inputValue()).toBe('')
    await expect.poll(() => dialog().getByLabel('Field for Nachname').inputValue()).toBe('last_name')

    await choose(GOOD)
    await dialog().getByText('3 students in schüler.csv').waitFor()
    await dialog().getByText('For example: Jürgen Groß, Lena Vogt, Juergen Gross').waitFor()
    await dialog().getByText('2 are probably already there').waitFor()
    await dialog().getByRole('button', { name: 'Import 1 student' }).waitFor()
    await dialog()
      .getByRole('checkbox', { name: /^Line 4 Juergen Gross: Line 2: Jürgen Groß/ })
      .check()
    await expect.poll(() => names()).toEqual(['Lena Vogt'])
    await dialog().getByRole('button', { name: 'Import 2 students' }).dblclick()
    await page.getByText('2 students imported. 1 duplicate was skipped.').waitFor()
    await page.getByText('3 students', { exact: true }).waitFor()
    await page.getByText('Juergen Gross').waitFor()
    await expect.poll(() => names()).toEqual(['Juergen Gross', 'Jürgen Groß', 'Lena Vogt'])
  })

  it('skips the lines with errors on request', async () => {
    await choose(`${FAULTY}Anna;Berg;;3\nOle;Fink;;4\n`)
    await dialog().getByText('2 lines have errors.').waitFor()
    await expect
      .poll(() => dialog().getByRole('button', { name: 'Import', exact: true }).isDisabled())
      .toBe(true)
    await dialog().getByRole('checkbox', { name: 'Import the 2 lines without errors' }).check()
    await dialog().getByRole('button', { name: 'Import 2 students' }).click()
    await page.getByText('2 students imported. 2 lines with errors were left out.').waitFor()
    await expect.poll(() => names()).toEqual(['Anna Berg', 'Ole Fink', 'Lena Vogt'])
  })

  it('keeps its choices while offline, and can be completed after the connection returns', async () => {
    await choose(GOOD)
    await dialog().getByRole('checkbox', { name: 'Import all of them anyway' }).check()
    await page.context().setOffline(true)
    await dialog().getByRole('button', { name: 'Import 3 students' }).click()
    await dialog().getByRole('alert').waitFor()
    await expect
      .poll(() => dialog().getByRole('checkbox', { name: 'Import all of them anyway' }).isChecked())
      .toBe(true)
    await page.context().setOffline(false)
    await dialog().getByRole('button', { name: 'Import 3 students' }).click()
    await page.getByText('3 students imported.').waitFor()
    await expect.poll(() => names()).toHaveLength(4)
  })

  it('clears the error of an earlier file when another is chosen', async () => {
    await choose(GOOD)
    await dialog().getByRole('button', { name: 'Import 1 student' }).waitFor()
    await page.context().setOffline(true)
    await dialog().getByRole('button', { name: 'Import 1 student' }).click()
    await dialog().getByRole('alert').waitFor()
    await page.context().setOffline(false)
    await choose('Vorname;Nachname\nMia;Sommer')
    await dialog().getByText('1 student in schüler.csv').waitFor()
    await expect.poll(() => dialog().getByRole('alert').count()).toBe(0)
  })

  it('rejects a file that is not CSV, and names a missing column and the line of a misplaced quotation mark', async () => {
    await choose('PK\u0003\u0004 workbook')
    await dialog().getByText('Save it as CSV in your spreadsheet program.').waitFor()
    await choose('Vorname;Telefon\nJürgen;1\n')
    await dialog().getByText('Choose the column for: Last name.').waitFor()
    await choose('Vorname;Nachname\nJürgen;"Groß\n')
    await dialog().getByText('Last name has a quotation mark that is never closed').waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

describe('an import of vehicles and opening balances', () => {
  it('reports lines with errors and stores the others', async () => {
    await dialog().getByRole('radio', { name: 'Vehicles' }).check()
    await choose('Name;Art;Kennzeichen\nGolf;Pkw;B-FS 1\nRad;Fahrrad;\nGolf;Pkw;B FS 1')
    await dialog().getByText('3 vehicles in schüler.csv').waitFor()
    await dialog().getByText('Kind is not one of the possible values.').waitFor()
    await dialog().getByText('Golf: Line 2: Golf has the same licence plate.').waitFor()
    await dialog().getByRole('checkbox', { name: 'Import the line without errors' }).check()
    await dialog().getByRole('button', { name: 'Import 1 vehicle' }).click()
    await page
      .getByText('1 vehicle imported. 1 duplicate was skipped. 1 line with errors was left out.')
      .waitFor()
    expect((await school.client.get('/vehicles')).body).toMatchObject([{ name: 'Golf', kind: 'car' }])

    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog().getByRole('radio', { name: 'Prior units' }).check()
    await choose('Nachname;Vorname\nVogt;Lena')
    await dialog().getByText('Choose the column for: Type, Units, As of, Source.').waitFor()
    const entry = 'Vogt;Lena;PRACTICE;6,0;31.03.2026;Fahrschule Süd'
    await choose(`Nachname;Vorname;Art;Einheiten;Stand;Herkunft\n${entry}\n${entry.replace('Lena', 'Lea')}`)
    await dialog().getByText('Last name is not known in your school.').waitFor()
    await dialog().getByRole('checkbox', { name: 'Import the line without errors' }).check()
    await dialog().getByRole('button', { name: 'Import 1 entry' }).click()
    await page.getByText('1 entry imported.').waitFor()
    const [{ id }] = (await school.client.get('/students')).body
    expect((await school.client.get(`/students/${id}/opening-balance`)).body).toMatchObject([
      { units: 6, date: '2026-03-31', source: 'Fahrschule Süd' },
    ])
  })
})

describe("an export of the school's data", () => {
  beforeEach(async () => {
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
  })

  async function saved(): Promise<{ name: string; text: string }> {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog().getByRole('button', { name: 'Download' }).click(),
    ])
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }

  it('downloads a CSV file of the students', async () => {
    const { name, text } = await saved()
    expect(name).toMatch(/^students-\d{4}-\d\d-\d\d\.csv$/)
    expect(text).toContain(';Lena;Vogt;')
  })

  it('downloads a CSV file of the time worked in a period', async () => {
    await school.instructor()
    await dialog().getByRole('radio', { name: "Instructors' working time" }).check()
    await dialog().getByLabel('From').fill('01/05/2026')
    await dialog().getByLabel('to', { exact: true }).fill('31/05/2026')
    const { name, text } = await saved()
    expect(name).toBe('worked-time-2026-05-01-2026-05-31.csv')
    expect(text).toContain(';Brandt;Jonas;0;0')
  })
})
