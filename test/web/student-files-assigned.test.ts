import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  page = await open('/students', { as: school })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog().getByRole('button', { name: 'Choose a file' }).waitFor()
})

type Row = { readonly first_name: string }

const dialog = () => page.getByRole('dialog').last()

async function choose(buffer: Buffer): Promise<void> {
  await dialog()
    .locator('input[type=file]')
    .setInputFiles({ name: 'liste.csv', mimeType: 'text/csv', buffer })
}

async function assign(heading: string, field: string): Promise<void> {
  await dialog().getByLabel(`Field for ${heading}`).selectOption({ label: field })
  await expect.poll(() => dialog().getByRole('status').filter({ hasText: 'Reading' }).count()).toBe(0)
}

async function students() {
  return (await school.client.get('/students')).body
}

it('columns with unknown headings are assigned by hand, and doubtful values are decided', async () => {
  const lines = [
    'Schülerliste 2026',
    '',
    'Nachn.|Rufname|Handynr.|Kundennr',
    'Vogt|Lena|15112345678|K-1',
    '|Suharto|0171 5550146|K-2',
  ]
  await choose(Buffer.from(lines.join('\n')))
  await dialog().getByText('Choose the column for: Last name.').waitFor()
  await expect
    .poll(() => dialog().getByRole('button', { name: 'Import', exact: true }).isDisabled())
    .toBe(true)
  await assign('Nachn.', 'Last name')
  await assign('Handynr.', 'Phone')
  await assign('Kundennr', 'Notes')
  await dialog().getByText('15112345678 → 015112345678').waitFor()
  await expect.poll(() => dialog().getByLabel('1 number has lost its leading 0').isChecked()).toBe(true)
  await dialog().getByText('1 line has errors.').waitFor()
  await dialog().getByLabel('1 person has one name only').check()
  await dialog().getByRole('button', { name: 'Import 2 students' }).click()
  await page.getByText('2 students imported.').waitFor()
  expect(
    (await students()).toSorted((a: Row, b: Row) => (a.first_name < b.first_name ? 1 : -1)),
  ).toMatchObject([
    { first_name: 'Suharto', last_name: '–', phone: '0171 5550146', notes: 'Kundennr: K-2' },
    { first_name: 'Lena', last_name: 'Vogt', phone: '015112345678', notes: 'Kundennr: K-1' },
  ])
})

it('a file without headings and with wrong letters is read as the user says', async () => {
  // In Mac Roman 0x9A is ö, in Windows-1250 š.
  const name = Buffer.from([0x54, 0x9a, 0x6d, 0x61])
  await choose(Buffer.concat([name, Buffer.from(';Vogt\nLena;Sommer')]))
  await dialog().getByLabel('The file has no headings').check()
  await dialog().getByLabel('Field for Column 1').waitFor()
  await assign('Column 1', 'First name')
  await assign('Column 2', 'Last name')
  await dialog().getByText('For example: Töma Vogt, Lena Sommer').waitFor()
  await dialog().getByText('Do these words look right? Töma').waitFor()
  await dialog().getByLabel('Encoding of the file').selectOption({ label: 'Windows (Central Europe)' })
  await dialog().getByText('For example: Tšma Vogt, Lena Sommer').waitFor()
  await dialog().getByRole('button', { name: 'Import 2 students' }).click()
  await page.getByText('2 students imported.').waitFor()
  expect(await students()).toMatchObject([{ first_name: 'Lena' }, { first_name: 'Tšma' }])
})
