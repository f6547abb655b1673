import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aDeletedStudent } from '../support/deleted-student.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const LESSONS = 1_500

let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

it('deleted students can be searched and restored, and then leave the list', async () => {
  const lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  const emre = await school.student({ first_name: 'Emre', last_name: 'Kaya' })
  for (const { id } of [lena, emre]) await school.client.delete(`/students/${id}`)
  const page = await open('/students', { as: school })
  await page.getByLabel('List', { exact: true }).selectOption('Deleted')
  const list = page.getByRole('list', { name: 'Deleted students' })
  await list.getByText('Emre Kaya').waitFor()
  await page.getByRole('searchbox').fill('vogt')
  await list.getByText('Emre Kaya').waitFor({ state: 'detached' })
  await list.getByRole('button', { name: 'Restore Lena Vogt' }).click()
  await page.getByText('Lena Vogt restored').waitFor()
  await list.getByText('Lena Vogt').waitFor({ state: 'detached' })
  expect((await school.client.get(`/students/${lena.id}`)).status).toBe(200)
  await page.getByLabel('List', { exact: true }).selectOption('Current')
  await page.getByRole('button', { name: /^Lena Vogt|^Vogt/ }).waitFor()
})

it('an owner erases a deleted student after a proof, and agrees to changes of texts about others first', async () => {
  const lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  const mia = await school.student({ first_name: 'Mia', notes: 'Drives with Lena Vogt' })
  await school.client.delete(`/students/${lena.id}`)
  const page = await open('/students?deleted=true', { as: school })
  await page.getByRole('button', { name: 'Erase Lena Vogt' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase Lena Vogt' })
  await dialog.getByLabel('Reason').fill('Asked by letter')
  await sql`update token_families set proved_at = proved_at - interval '6 minutes'
    where user_id = ${school.user.id}`.execute(service().db)
  await dialog.getByRole('button', { name: 'Erase', exact: true }).click()
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await dialog.getByText('Drives with Lena Vogt').waitFor()
  expect(await dialog.getByRole('button', { name: 'Erase', exact: true }).isDisabled()).toBe(true)
  await dialog.getByLabel('Replace name, address and number').click()
  await dialog.getByRole('button', { name: 'Erase', exact: true }).click()
  await page.getByText('Lena Vogt erased').waitFor()
  await page.getByText('There are no deleted students.').waitFor()
  expect((await school.client.get(`/students/${mia.id}`)).body.notes).toBe('Drives with …')
})

it('a student whose record must be kept stays in a list for owners, who can stop hiding it', async () => {
  const [template] = (await school.client.get('/license-class-templates')).body
  const lena = await school.student({
    first_name: 'Lena',
    last_name: 'Vogt',
    license_class_template_id: template.id,
  })
  await school.client.delete(`/students/${lena.id}`)
  const page = await open('/students?deleted=true', { as: school, locale: 'de-DE' })
  await page.getByRole('button', { name: 'Lena Vogt endgültig löschen' }).click()
  await page.getByLabel('Grund').fill('Schreiben vom 3. Mai')
  await page.keyboard.press('Enter')
  await page.getByText('Von Lena Vogt bleibt nur der Ausbildungsnachweis').waitFor()
  const records = page.getByRole('region', { name: 'Aufbewahrte Ausbildungsnachweise' })
  await records.getByText('Schreiben vom 3. Mai').waitFor()
  await records.getByText('Ausbildung nicht beendet').waitFor()
  await page.screenshot({ path: '/tmp/erase2.png' })
  await records.getByRole('button', { name: 'Nicht mehr verbergen' }).click()
  await page.getByRole('button', { name: 'Lena Vogt wiederherstellen' }).waitFor()
  await records.waitFor({ state: 'detached' })
})

it('an empty list of deleted students is explained in German', async () => {
  const page = await open('/students?deleted=true', { as: school, locale: 'de-DE' })
  await page.getByText('Es gibt keine gelöschten Fahrschüler.').waitFor()
})

it('restoring a student with 1,500 lessons shows how many have been checked', async () => {
  const { student_id } = await aDeletedStudent(service(), school, LESSONS)
  const page = await open('/students?deleted=true', { as: school, locale: 'de-DE' })
  await page.getByRole('button', { name: 'Lena Vogt wiederherstellen' }).click()
  const bar = page.getByRole('progressbar', { name: 'Lena Vogt wird wiederhergestellt' })
  await bar.waitFor()
  await page.getByText(/^(?:1\.)?\d?00 von 1\.500 Stunden geprüft$/).waitFor()
  await page.getByText('Lena Vogt wiederhergestellt').waitFor({ timeout: 30_000 })
  await bar.waitFor({ state: 'detached' })
  const { body } = await school.client.get(`/appointments?student_id=${student_id}&status=planned`)
  expect(body).toHaveLength(LESSONS)
})
