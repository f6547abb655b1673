import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { noteDueStudents } from '../../src/mail/retention-notices.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aDueStudent } from '../support/due-student.ts'
import { aSchool, aUser, enter, PASSWORD, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

it('an owner holds one student who is due, and erases the other after a proof', async () => {
  await aDueStudent(school, { first_name: 'Lena', last_name: 'Vogt' })
  const mia = await aDueStudent(school, { first_name: 'Mia', last_name: 'Adler' })
  const page = await open('/settings?chapter=retention', { as: school })
  const due = page.getByRole('region', { name: 'To erase for good' })
  await due.getByText('Lena Vogt').waitFor()
  await due.getByRole('button', { name: 'Hold Mia Adler' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hold Mia Adler' })
  await dialog.getByLabel('Reason').fill('Dispute about a fee')
  await dialog.getByRole('button', { name: 'Hold', exact: true }).click()
  const kept = page.getByRole('region', { name: 'Kept' })
  await kept.getByText('Mia Adler').waitFor()
  await due.getByText('Mia Adler').waitFor({ state: 'detached' })
  expect(must(200, await school.client.get(`/students/${mia.id}/hold`)).reason).toBe('Dispute about a fee')
  await sql`update token_families set proved_at = proved_at - interval '6 minutes'
    where user_id = ${school.user.id}`.execute(service().db)
  await page.getByRole('button', { name: 'Erase 1 student' }).click()
  await page.getByRole('button', { name: 'Erase for good' }).click()
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  const text = '1 erased, 0 erased except for the training record, 0 skipped.'
  await page.getByRole('group', { name: 'Earlier runs' }).getByText(text).waitFor()
  await page.getByText('Nobody is due today.').waitFor()
  expect(must(200, await school.client.get('/students')).map(({ id }: { id: string }) => id)).toEqual([
    mia.id,
  ])
  await kept.getByRole('button', { name: 'End the hold of Mia Adler' }).click()
  await due.getByText('Mia Adler').waitFor()
})

it('an owner holds a student on the card, changes the hold and ends it, which the office does not see', async () => {
  const lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  const page = await open('/students', { as: school })
  await page.getByRole('button', { name: /^Lena Vogt|^Vogt/ }).click()
  await page.getByText('Hold on erasure', { exact: true }).click()
  await page.getByRole('button', { name: 'Hold', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Hold Lena Vogt' })
  await dialog.getByLabel('Reason').fill('Dispute about a fee')
  await dialog.getByLabel('Until').fill('30.06.2040')
  await dialog.getByRole('button', { name: 'Hold', exact: true }).click()
  await page.getByText(/^On hold until .*2040: Dispute about a fee$/).waitFor()
  const hold = async () => (await school.client.get(`/students/${lena.id}/hold`)).body
  expect(await hold()).toEqual({ reason: 'Dispute about a fee', until: '2040-06-30' })
  await page.getByRole('button', { name: 'Change the hold' }).click()
  await dialog.getByLabel('Until').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('On hold without end: Dispute about a fee').waitFor()
  await page.getByRole('button', { name: 'End the hold of Lena Vogt' }).click()
  await page.getByRole('button', { name: 'Hold', exact: true }).waitFor()
  expect(await hold()).toMatchObject({ code: 'not_found' })
  const user = await aUser(service(), school.tenantId, { role: 'office' })
  const clerk = await open('/students', { as: await enter(service(), { tenantId: school.tenantId, user }) })
  await clerk.getByRole('button', { name: /^Lena Vogt|^Vogt/ }).click()
  await clerk.getByText('Stored data', { exact: true }).waitFor()
  expect(await clerk.getByText('Hold on erasure', { exact: true }).count()).toBe(0)
})

it("a month's notice leads from the owner's inbox to the list", async () => {
  await aDueStudent(school, { first_name: 'Lena', last_name: 'Vogt' })
  await noteDueStudents(service().db, { log: service().app.log })
  const page = await open('/inbox', { as: school })
  await page.getByText('The retention period of 1 student has ended: the data is to be erased now.').waitFor()
  await page.getByRole('link', { name: 'Look at the list' }).click()
  await page.getByRole('region', { name: 'To erase for good' }).getByText('Lena Vogt').waitFor()
})

it('the list is German in a German browser', async () => {
  await aDueStudent(school, { first_name: 'Lena', last_name: 'Vogt' })
  const page = await open('/settings?chapter=retention', { as: school, locale: 'de-DE' })
  await page.getByRole('region', { name: 'Vollständig zu löschen' }).getByText('Lena Vogt').waitFor()
  await page.getByText('Es gab noch keinen Lauf.').waitFor()
})

it('all data of a student is three clicks from the list, to read and as JSON', async () => {
  await school.student({ first_name: 'Lena', last_name: 'Vogt', notes: 'Prefers mornings' })
  const page = await open('/students', { as: school })
  await page.getByRole('button', { name: /^Lena Vogt|^Vogt/ }).click()
  await page.getByText('Stored data', { exact: true }).click()
  for (const [button, name] of [
    ['Download to read', 'data.html'],
    ['Download as JSON', 'data.json'],
  ]) {
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: button }).click()
    const file = await downloading
    expect(file.suggestedFilename()).toBe(name)
    expect(await readFile(await file.path(), 'utf8')).toContain('Prefers mornings')
  }
})
