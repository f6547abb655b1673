import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, useBrowser } from '../support/browser.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

it("changing a student's class marks lessons whose instructor does not teach it", async () => {
  const school = await aSchool(service(), { locale: 'en' })
  const templates = (await school.client.get('/license-class-templates')).body
  const classOf = (code: string) => templates.find((one: { code: string }) => one.code === code).id as string
  const jonas = await school.instructor({ license_classes: ['B'] })
  const lena = await school.student({ license_class_template_id: classOf('B') })
  const { id } = await school.lesson({
    instructor_id: jonas.id,
    student_id: lena.id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 12:00`,
  })
  const page = await open(`/?date=${DATE}&lesson=${id}`, { as: school })
  const block = page.locator('.board-event [data-lesson]')
  await block.getByText('Lena Vogt').waitFor()
  const card = page.getByRole('dialog')
  await card.getByText('Class', { exact: true }).waitFor()
  await expect.poll(() => card.getByText('does not teach class').count()).toBe(0)
  await school.client.patch(`/students/${lena.id}`, { license_class_template_id: classOf('A') })
  await block.getByText('does not teach A').waitFor()
  const warning = card.locator('[data-kind="warn"]', { hasText: 'Jonas Brandt does not teach class A.' })
  const [above, below] = [await boxOf(warning), await boxOf(card.locator('dt').first())]
  expect(below.y - above.y - above.height).toBeGreaterThanOrEqual(8)
})
