import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

let school: School
let jonas: { id: string }
let lena: { id: string }
let lesson: { id: string }

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  lesson = await aLesson(lena.id)
})

async function aLesson(student_id: string): Promise<{ id: string }> {
  const times = { start_at: `${DATE} 10:00`, end_at: `${DATE} 11:30` }
  return school.lesson({ instructor_id: jonas.id, student_id, ...times })
}

const restore = (page: Page, what: RegExp) => page.getByRole('button', { name: what })
const statusOf = async (path: string) => (await school.client.get(path)).status

describe('the changes page', () => {
  it('restores a deleted lesson by keyboard, and undoes the restore', async () => {
    await school.client.delete(`/appointments/${lesson.id}`)
    const page = await open('/changes', { as: school })
    await restore(page, /^Restore Lena Vogt, Mon,? 1 Mar/).press('Enter')
    await page.getByText(/^Restored: Lena Vogt, Mon,? 1 Mar/).waitFor()
    await page.getByText('Lesson restored').waitFor()
    await expect.poll(() => restore(page, /^Restore/).count()).toBe(0)
    await expect.poll(() => statusOf(`/appointments/${lesson.id}`)).toBe(200)
    await page.getByRole('button', { name: /^Undo: / }).click()
    await restore(page, /^Restore Lena Vogt/).waitFor()
    await expect.poll(() => statusOf(`/appointments/${lesson.id}`)).toBe(404)
  })

  it('restores a deleted student and shows how many lessons no longer fit', async () => {
    await school.client.delete(`/students/${lena.id}`)
    const other = await school.student({ first_name: 'Emma', last_name: 'Kaya' })
    await aLesson(other.id)
    const page = await open('/changes', { as: school, locale: 'de-DE' })
    await restore(page, /^Lena Vogt wiederherstellen$/).click()
    await page.getByText('Lena Vogt wiederhergestellt, außer 1 Stunde, die nicht mehr möglich ist').waitFor()
    await restore(page, /wiederherstellen$/).waitFor({ state: 'detached' })
    await expect.poll(() => statusOf(`/students/${lena.id}`)).toBe(200)
  })

  it('shows why a lesson cannot be restored, and does not offer lessons of a deleted student', async () => {
    await school.client.delete(`/appointments/${lesson.id}`)
    const emma = await school.student({ first_name: 'Emma', last_name: 'Kaya' })
    await aLesson(emma.id)
    const page = await open('/changes', { as: school })
    await restore(page, /^Restore Lena Vogt/).click()
    await page.getByText(/^Not restored: Lena Vogt.*Jonas Brandt already has an appointment/).waitFor()
    await school.client.delete(`/students/${lena.id}`)
    await restore(page, /^Restore Lena Vogt$/).waitFor()
    await expect.poll(() => restore(page, /^Restore Lena Vogt,/).count()).toBe(0)
  })

  it('stops offering a lesson that another client has restored', async () => {
    await school.client.delete(`/appointments/${lesson.id}`)
    const address = `/changes?kind=appointment&person=${school.user.id}`
    const page = await open(address, { as: school })
    await restore(page, /^Restore Lena Vogt/).waitFor()
    await school.client.post(`/appointments/${lesson.id}/restore`)
    await restore(page, /^Restore/).waitFor({ state: 'detached' })
  })
})
