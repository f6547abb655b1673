import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

async function aFile(...names: readonly string[]): Promise<void> {
  const lines = ['Vorname;Nachname', ...names.map((name) => `${name};Kurz`)].join('\n')
  const file = Buffer.from(lines).toString('base64')
  expect((await school.client.post('/student-imports', { file })).status).toBe(200)
}

const names = async () => (await school.client.get('/students')).body.map(({ first_name }: Row) => first_name)

describe('the changes page', () => {
  it('undoes an import, except for a student changed since, and can undo that undo', async () => {
    await aFile('Ada', 'Ben', 'Cem')
    const ben = (await school.client.get('/students')).body[1]
    await school.client.patch(`/students/${ben.id}`, { phone: '112' })
    const page = await open('/changes', { as: school })
    await page.getByRole('button', { name: /^Undo all of it: Student added/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo 2 changes?' })
    await dialog.getByText('Ben Kurz has changed since (Phone) and stays.').waitFor()
    await expect.poll(() => names()).toEqual(['Ada', 'Ben', 'Cem'])
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('2 of 3 changes undone. Ben Kurz has changed since (Phone) and stays.').waitFor()
    await expect.poll(() => names()).toEqual(['Ben'])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Undone: undo of 2 changes').waitFor()
    await expect.poll(() => names()).toEqual(['Ada', 'Ben', 'Cem'])
  })

  it('names a lesson that stays, even if the filter hides its booking', async () => {
    const user = await aUser(service(), school.tenantId, { role: 'office' })
    const { client } = await enter(service(), { tenantId: school.tenantId, user })
    const ill = await school.instructor()
    const cem = await school.student({ first_name: 'Cem', last_name: 'Kurz' })
    const book = async (start: string, end: string) => {
      const times = { start_at: `2032-03-01 ${start}`, end_at: `2032-03-01 ${end}` }
      const lesson = {
        instructor_id: ill.id,
        student_id: cem.id,
        lesson_type_id: school.lessonTypes.PRACTICE,
      }
      return (await client.post('/appointments', { ...lesson, ...times })).body
    }
    const lessons = [await book('08:00', '09:30'), await book('10:00', '11:30')]
    const decisions = lessons.map(({ id, version }) => ({ appointment_id: id, version, action: 'cancel' }))
    const away = { start_date: '2032-03-01', end_date: '2032-03-01', decisions }
    expect((await school.client.post(`/instructors/${ill.id}/absences`, away)).status).toBe(200)
    await client.put(`/appointments/${lessons[0].id}/fee`, { charge: true })
    const { body: me } = await school.client.get('/auth/me')
    const page = await open(`/changes?person=${me.id}`, { as: school })
    await page
      .getByRole('button', { name: /^Undo all of it/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Undo 2 changes?' })
    await dialog
      .getByText(/^Cem Kurz, Mon,? 1 Mar 2032, 08:00–09:30 has changed since \(Cancellation\) and stays\.$/)
      .waitFor()
  })

  it('reports that a series was already undone elsewhere, and can undo that undo', async () => {
    const [instructor, student] = [await school.instructor(), await school.student()]
    const lesson = { instructor_id: instructor.id, student_id: student.id }
    const times = { start_at: '2032-03-01 10:00', end_at: '2032-03-01 11:30' }
    const series = await school.client.post('/appointments/series', {
      appointment: { ...lesson, lesson_type_id: school.lessonTypes.PRACTICE, ...times },
      repeat: { every_weeks: 1, count: 3 },
    })
    const page = await open('/changes', { as: school, locale: 'de-DE' })
    await page.getByRole('button', { name: /^Alles rückgängig machen: Fahrstunde gebucht/ }).click()
    const dialog = page.getByRole('dialog', { name: '3 Änderungen rückgängig machen?' })
    await dialog.getByText('ist danach wieder wie vorher').waitFor()
    const path = `/changes/sets/${series.headers.get('x-request-id')}/undo`
    const { set_id } = (await school.client.post(path)).body
    await dialog.getByRole('button', { name: 'Rückgängig', exact: true }).click()
    await page.getByText('Nicht rückgängig gemacht. Das wurde schon rückgängig gemacht.').waitFor()
    expect((await school.client.get('/appointments')).body).toEqual([])
    // The undo is in the list by now, and can itself be undone.
    await page.getByRole('button', { name: /^Alles rückgängig machen: Fahrstunde gelöscht/ }).click()
    await page
      .getByRole('dialog', { name: '3 Änderungen rückgängig machen?' })
      .getByRole('button', { name: 'Rückgängig', exact: true })
      .click()
    await page.getByText('3 Änderungen rückgängig gemacht.').waitFor()
    expect((await school.client.get('/appointments')).body).toHaveLength(3)
    expect((await school.client.post(`/changes/sets/${set_id}/undo`)).body.code).toBe('already_undone')
  })
})
