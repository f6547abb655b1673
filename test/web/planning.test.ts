import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** A Monday far ahead, so that the days are to come by the browser's clock, too. */
const MONDAY = '2098-06-02'
/** The most elements that a page has in the order of Tab, with a round through the browser. */
const MAX_TABS = 80
const BOARD = `/?view=plan&date=${MONDAY}`

let school: School
let eva: Row

beforeEach(async () => {
  school = await aSchool(service())
  const availability_windows = [{ weekday: 1, start: '08:00', end: '12:00' }]
  eva = await school.instructor({ first_name: 'Eva', last_name: 'Adler', availability_windows })
  for (const first_name of ['Ben', 'Mia', 'Tim']) {
    const { id } = await school.student({ first_name, last_name: 'Vogt' })
    must(201, await school.client.post(`/students/${id}/wishes`, { minutes: 90 }))
  }
})

const lessons = async (): Promise<readonly Row[]> => must(200, await school.client.get('/appointments'))

async function planned(): Promise<Page> {
  const page = await open(BOARD, { as: school })
  await page.getByRole('button', { name: 'Plan 2 – 8 June 2098' }).click()
  await page.getByRole('button', { name: 'Book 2 lessons' }).waitFor()
  return page
}

describe('planning a week', () => {
  it('takes four clicks from the board to booked lessons, and one more to undo them', {
    tags: 'promise',
  }, async () => {
    const page = await open(`/?date=${MONDAY}`, { as: school })
    await page.getByRole('button', { name: 'Team', exact: true }).click()
    await page.getByRole('button', { name: 'Planning' }).click()
    await page.getByRole('button', { name: 'Plan 2 – 8 June 2098' }).click()
    await page.locator('[data-ghost]').nth(1).waitFor()
    await page.getByText('2 lessons proposed, 3:00 of 4:30 requested hours').waitFor()
    await page.getByText('3:00 of 4:00 h planned').waitFor()
    expect(await lessons()).toEqual([])
    await page.getByRole('button', { name: 'Book 2 lessons' }).click()
    await page.getByText('2 lessons booked.').waitFor()
    await page.locator('[data-lesson]').nth(1).waitFor()
    expect(await page.locator('[data-ghost]').count()).toBe(0)
    expect(await lessons()).toHaveLength(2)
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
    await page.locator('[data-ghost]').nth(1).waitFor()
    expect(await lessons()).toEqual([])
  })

  it('takes four keys and the tabs between them', async () => {
    const page = await open(`/?date=${MONDAY}`, { as: school })
    await page.locator('.column-head').first().waitFor()
    let presses = 0
    const press = async (key: string) => {
      presses += 1
      await page.keyboard.press(key)
    }
    const enter = async (name: string) => {
      const button = page.getByRole('button', { name, exact: true })
      await button.and(page.locator(':enabled')).waitFor()
      for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
        if (await button.evaluate((one) => one === one.ownerDocument.activeElement)) return press('Enter')
        await page.keyboard.press('Tab')
      }
      throw new Error(`the Tab key does not come to ${name}`)
    }
    await press('a')
    await enter('Planning')
    await enter('Plan 2 – 8 June 2098')
    await enter('Book 2 lessons')
    await page.getByText('2 lessons booked.').waitFor()
    expect(presses).toBe(4)
    expect(await lessons()).toHaveLength(2)
  })

  it('names who is left out and why, and gives them the place of another', { tags: 'promise' }, async () => {
    const page = await planned()
    const left = page.getByRole('region', { name: 'Without a lesson (1)' })
    const out = (await left.locator('strong').innerText()).trim()
    const text = await left.getByRole('listitem').innerText()
    const [, other = ''] = /would be free without the lesson of (\w+ Vogt)\./.exec(text) ?? []
    expect(other).not.toBe(out)
    await left.getByRole('button', { name: 'Give them the place' }).click()
    await page.locator('[data-ghost]', { hasText: out }).waitFor()
    await expect.poll(() => page.locator('[data-ghost]').count()).toBe(2)
    expect(await page.locator('[data-ghost]', { hasText: other }).count()).toBe(0)
    const [plan] = must(200, await school.client.get('/plans'))
    expect(plan.proposed.map(({ is_locked }: Row) => is_locked)).toEqual([false, false])
  })

  it('keeps, moves and drops a lesson, and names the rule that refuses a move', async () => {
    const page = await planned()
    const first = page.locator('[data-ghost]').first()
    await first.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Keep', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.ghost-locked').waitFor()
    await first.click()
    await dialog.getByLabel('Start').fill('07:00')
    await dialog.getByRole('button', { name: 'Move' }).click()
    await dialog.getByText('On Monday Eva Adler works 08:00–12:00.').waitFor()
    expect(await dialog.getByLabel('Start').inputValue()).toBe('07:00')
    await dialog.getByRole('button', { name: 'Drop' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Book 1 lesson' }).waitFor()
    const changes = page.getByRole('region', { name: 'Since the last change' })
    await changes.getByText('1 lesson removed').waitFor()
    await changes.getByRole('row', { name: 'Lessons 1 −1' }).waitFor()
    await page.getByRole('button', { name: 'Fill the time' }).first().click()
    await page.getByRole('button', { name: 'Book 2 lessons' }).waitFor()
    await changes.getByText('1 lesson added').waitFor()
    await changes.getByRole('row', { name: 'Hours 3:00 +1:30' }).waitFor()
  })

  it('shows before booking what has changed meanwhile, and books the others', async () => {
    const page = await planned()
    const [plan] = must(200, await school.client.get('/plans'))
    const { start_at, end_at } = plan.proposed[0]
    // After two polls the page has followed the change that made the plan.
    for (let polls = 0; polls < 2; polls += 1) await page.waitForResponse(/changes\/since\?cursor=/)
    await school.lesson({ instructor_id: eva.id, start_at, end_at })
    await page.getByText('1 lesson no longer fits and will not be booked').waitFor()
    await page.getByRole('button', { name: 'Book 1 lesson' }).click()
    await page.getByText('1 lesson booked. 1 no longer fitted.').waitFor()
    expect(await lessons()).toHaveLength(2)
  })
})
