import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aDeletedStudent } from '../support/deleted-student.ts'
import { aSchool, type School } from '../support/factory.ts'

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
  await page.getByRole('button', { name: 'Deleted', exact: true }).click()
  const list = page.getByRole('list', { name: 'Deleted students' })
  await list.getByText('Emre Kaya').waitFor()
  await page.getByText('To erase them for good').waitFor()
  await page.getByRole('searchbox').fill('vogt')
  await list.getByText('Emre Kaya').waitFor({ state: 'detached' })
  await list.getByRole('button', { name: 'Restore Lena Vogt' }).click()
  await page.getByText('Lena Vogt restored').waitFor()
  await list.getByText('Lena Vogt').waitFor({ state: 'detached' })
  expect((await school.client.get(`/students/${lena.id}`)).status).toBe(200)
  await page.getByRole('button', { name: 'Deleted', exact: true }).click()
  await page.getByRole('button', { name: /^Lena Vogt|^Vogt/ }).waitFor()
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
