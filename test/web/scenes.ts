import { daysLater } from '../../src/domain/local-time.ts'
import type { Scene } from './scene.ts'
import {
  alternatives,
  booking,
  finder,
  needed,
  nobodyFound,
  noSuchDay,
  refusedBooking,
  series,
  several,
  typedDay,
  unchosen,
} from './scenes-of-booking.ts'
import { scenesOfHand } from './scenes-of-hand.ts'
import { scenesOfLinks } from './scenes-of-links.ts'
import { scenesOfPeople } from './scenes-of-people.ts'
import { scenesOfUsers } from './scenes-of-users.ts'

const board: Scene = async () => undefined

const week: Scene = async (page) => {
  await page.keyboard.press('w')
  await page.locator('.board-main [data-lesson]').first().waitFor()
}

const team: Scene = async (page) => {
  await page.keyboard.press('a')
  await page.locator('tbody [data-lesson]').first().waitFor()
}

const legend: Scene = async (page, texts) => {
  await page.keyboard.press('l')
  await page.getByRole('dialog', { name: texts.legend.title }).waitFor()
}

const filter: Scene = async (page, { board: { instructors } }) => {
  await page.getByRole('button', { name: instructors }).click()
}

const dayPicker: Scene = async (page) => {
  await page.getByRole('toolbar').locator('button[aria-expanded]').first().click()
  await page.locator('table').first().waitFor()
}

const menu: Scene = async (page, { app }) => {
  await page.getByRole('button', { name: app.menu }).click()
}

const password: Scene = async (page, texts) => {
  await menu(page, texts)
  await page.getByRole('link', { name: texts.nav.account }).click()
  await page.getByRole('button', { name: texts.password.title }).click()
  await page.getByRole('dialog').waitFor()
}

const numbers: Scene = async (page, texts) => {
  await page.goto(new URL('/numbers', page.url()).href)
  await page.getByRole('region', { name: texts.numbers.use.title }).waitFor()
}

const planning: Scene = async (page, texts) => {
  const { searchParams } = new URL(page.url())
  // The demo's last week, which waits to be planned.
  const date = daysLater(searchParams.get('date') ?? '', 7)
  await page.goto(new URL(`/?view=plan&date=${date}`, page.url()).href)
  const planned = page.getByRole('button', { name: texts.planning.discard })
  const made = page.getByRole('region', { name: texts.planning.title }).getByRole('button').first()
  await made.waitFor()
  if (!(await planned.isVisible())) await made.click()
  await planned.waitFor()
  await page.locator('[data-ghost]').first().waitFor()
}

const ghost: Scene = async (page, texts) => {
  await planning(page, texts)
  await page.locator('[data-ghost]').first().click()
  await page.getByRole('dialog').getByRole('button', { name: texts.planning.drop }).waitFor()
}

const lessonCard: Scene = async (page) => {
  await page.locator('.lesson-planned[data-lesson]').first().click()
  await page.getByRole('dialog').locator('dl').waitFor()
}

const cancelling: Scene = async (page, texts) => {
  await lessonCard(page, texts)
  await page.getByRole('button', { name: texts.cancel.open }).click()
  await page.getByRole('radio').nth(3).waitFor()
}

const edit: Scene = async (page, texts) => {
  await lessonCard(page, texts)
  await page.getByRole('button', { name: texts.action.edit }).click()
  await page.getByRole('dialog').getByLabel(texts.field.notes).waitFor()
}

/** A lesson that was just cancelled. */
const freedTime: Scene = async (page) => {
  const id = await page.locator('.lesson-planned[data-lesson]').last().getAttribute('data-lesson')
  await page.request.patch(new URL(`/api/v1/appointments/${id}`, page.url()).href, {
    data: { status: 'cancelled' },
  })
  const strip = page.locator(`.lesson-cancelled[data-lesson="${id}"]`)
  await strip.focus()
  await page.locator('.freed-panel:popover-open').waitFor()
}

const printMenu: Scene = async (page, { action }) => {
  await page.getByRole('button', { name: action.print }).click()
}

const daySheet: Scene = async (page) => {
  await page.goto(page.url().replace('/?date=', '/day-sheet?day='))
  await page.getByRole('region').first().waitFor()
}

/** A lesson held with the mouse over one of another column. */
const refusedMove: Scene = async (page) => {
  const boxes = await page.locator('.lesson-planned[data-lesson]').all()
  const inSight = []
  for (const block of boxes) {
    const box = await block.boundingBox()
    if (box && box.y > 200) inSight.push(box)
  }
  const [from, to] = inSight
  if (!from || !to) throw new Error('no two lessons are to be seen')
  await page.mouse.move(from.x + 30, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(to.x + 30, to.y + 12, { steps: 8 })
  await page.locator('[data-held]').waitFor()
}

const told: Scene = async (page) => {
  const lesson = page.locator('.lesson-planned[data-lesson]').last()
  await lesson.focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.locator('[role=status], [role=alert]').first().waitFor()
}

/** A lesson that was just moved, with changed notes. */
const history: Scene = async (page, texts) => {
  await told(page, texts)
  const { changes, lesson } = texts
  // Opened by key, because on a phone the message covers the lesson.
  await page.locator('.lesson-planned[data-lesson]').last().press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: lesson.markCancelled }).click()
  await page.getByRole('dialog').getByText(changes.history).click()
  await page.getByRole('dialog').locator('ol li').nth(2).scrollIntoViewIfNeeded()
}

/** The news of the office. */
const inbox: Scene = async (page, texts) => {
  await page.getByRole('link', { name: texts.nav.inbox }).first().click()
  await page.getByRole('heading', { name: texts.nav.inbox }).waitFor()
  await page.locator('li[data-kind]').first().waitFor()
}

/** The people who have sent the form on the school's website. */
const enquiries: Scene = async (page, texts) => {
  await page.goto(new URL('/enquiries', page.url()).href)
  await page.getByRole('button', { name: texts.enquiry.enrol }).first().waitFor()
}

const changes: Scene = async (page, texts) => {
  await told(page, texts)
  await page.getByRole('link', { name: texts.nav.changes }).click()
  await page.getByRole('listitem').first().waitFor()
}

const nothingChanged: Scene = async (page, texts) => {
  await changes(page, texts)
  await page.getByLabel(texts.changes.kind).selectOption(texts.kinds.instructor)
  await page.getByLabel(texts.changes.person).selectOption({ index: 1 })
  await page.getByText(texts.changes.noneFound).waitFor()
}

const years: Scene = async (page, texts) => {
  await dayPicker(page, texts)
  const year = new URL(page.url()).searchParams.get('date')?.slice(0, 4) ?? ''
  await page.locator('table').locator('..').getByRole('button', { name: year }).first().click()
}

const dateField: Scene = async (page, texts) => {
  await edit(page, texts)
  await page.getByRole('dialog').getByLabel(texts.field.date).click()
  await page.getByRole('button', { name: texts.calendar.nextMonth }).waitFor()
}

const instructorChoice: Scene = async (page, texts) => {
  await edit(page, texts)
  await page.getByRole('dialog').getByLabel(texts.field.instructor).first().click()
  await page.getByRole('option').first().waitFor()
}

const offline: Scene = async (page, { app }) => {
  await page.context().setOffline(true)
  await page.getByText(app.offline).waitFor()
}

const notFound: Scene = async (page) => {
  await page.goto(`${new URL(page.url()).origin}/?lesson=00000000-0000-4000-8000-000000000000`)
  await page.getByRole('dialog').getByRole('alert').waitFor()
}

const print: Scene = async (page) => {
  await page.emulateMedia({ media: 'print' })
}

/** The instructor's day, instead of the board. */
const today: Scene = async (page) => {
  await page.locator('[data-progress]').waitFor()
}

/** All scenes by name. */
export const scenes = {
  login: board,
  board,
  week,
  planning,
  ghost,
  numbers,
  team,
  legend,
  filter,
  dayPicker,
  menu,
  password,
  booking,
  unchosen,
  typedDay,
  noSuchDay,
  nobodyFound,
  needed,
  refusedBooking,
  alternatives,
  finder,
  several,
  series,
  lessonCard,
  cancelling,
  edit,
  freedTime,
  printMenu,
  daySheet,
  refusedMove,
  told,
  ...scenesOfPeople,
  ...scenesOfLinks,
  ...scenesOfUsers,
  ...scenesOfHand,
  history,
  inbox,
  enquiries,
  changes,
  nothingChanged,
  years,
  dateField,
  instructorChoice,
  offline,
  notFound,
  print,
  today,
} satisfies Record<string, Scene>
