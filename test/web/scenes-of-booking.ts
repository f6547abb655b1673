import type { Locator, Page } from 'playwright-core'
import type { Scene } from './scene.ts'

export const booking: Scene = async (page, { field, verdict }) => {
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(field.student).first().fill('ka')
  await page.getByRole('option').first().click()
  await dialog.getByLabel(field.instructor).first().click()
  await page.getByRole('option', { name: 'Thomas' }).click()
  // The form moves to the next free day unless a date was chosen. Typing the date it shows is no choice, so type another first.
  await dialog.getByLabel(field.date).fill('01.02.2030')
  await dialog.getByLabel(field.date).fill(shownDate(page))
  await setStart(dialog, field.start_at, '13:30')
  await dialog
    .getByText(new RegExp(`^(${verdict.allowed}|${verdict.refused})`))
    .first()
    .waitFor()
}

/** A student whose next open requirement has been chosen as the lesson type. */
export const needed: Scene = async (page, { field }) => {
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(field.student).first().fill('ka')
  await page.getByRole('option').first().click()
  await dialog.getByRole('group').getByRole('button').first().click()
}

export const refusedBooking: Scene = async (page, texts) => {
  await booking(page, texts)
  const dialog = page.getByRole('dialog')
  await setStart(dialog, texts.field.start_at, '08:15')
  await dialog.getByText(texts.verdict.refused).waitFor()
  await dialog.getByRole('button', { name: texts.booking.submit, exact: true }).click()
  await dialog.getByText(texts.booking.notSaved).waitFor()
}

export const alternatives: Scene = async (page, texts) => {
  await booking(page, texts)
  const dialog = page.getByRole('dialog')
  await setStart(dialog, texts.field.start_at, '08:15')
  await dialog.getByText(texts.slots.nearest).waitFor()
}

/** A text that matches no student, after the user has left the field. */
export const unchosen: Scene = async (page, { field, choice }) => {
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(field.student).first().fill('qqq')
  await dialog.getByLabel(field.notes).click()
  await dialog.getByText(choice.open).waitFor()
}

/** The message below the field that no student was found. */
export const nobodyFound: Scene = async (page, { field, booking: { nobody } }) => {
  await page.keyboard.press('n')
  await page.getByRole('dialog').getByLabel(field.student).first().fill('qqq')
  await page.getByText(nobody).waitFor()
}

/** The finder next to the board, with the first time chosen. */
export const finder: Scene = async (page, { field }) => {
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('f')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(field.student).first().fill('ka')
  await page.getByRole('option').first().click()
  await dialog.getByRole('radio', { checked: true }).waitFor()
}

/** The finder with two more times chosen. */
export const several: Scene = async (page, texts) => {
  await finder(page, texts)
  const boxes = page.getByRole('dialog').getByRole('checkbox')
  await boxes.nth(2).click()
  await boxes.nth(4).click()
  const chosen = page.getByRole('region', { name: texts.slots.chosen_other.replace('{{count}}', '3') })
  await chosen.scrollIntoViewIfNeeded()
}

/** A repeated lesson, with one of the refused dates moved to another time. */
export const series: Scene = async (page, texts) => {
  await booking(page, texts)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('switch').click()
  await dialog.getByLabel(texts.series.count).fill('6')
  const leaveOut = page.getByRole('button', { name: texts.series.leaveOut })
  await leaveOut.first().waitFor()
  await dialog.getByRole('group').filter({ has: leaveOut }).getByRole('button').first().click()
  await leaveOut.last().scrollIntoViewIfNeeded()
}

/** Returns the date of the board as a user types it. */
function shownDate(page: Page): string {
  const date = new URL(page.url()).searchParams.get('date') ?? ''
  return date.split('-').toReversed().join('.')
}

async function setStart(dialog: Locator, label: string, time: string): Promise<void> {
  const field = dialog.getByLabel(label).first()
  await field.click()
  await field.pressSequentially(time.replace(':', ''))
}

/** The open calendar, with the typed date in words above it. */
export const typedDay: Scene = async (page, { field }) => {
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(field.date).first().fill('1.10.')
  await dialog.locator('[data-dates-dropdown]').waitFor()
}

export const noSuchDay: Scene = async (page, texts) => {
  await typedDay(page, texts)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(texts.field.date).first().fill('31.9.')
  await page.keyboard.press('Tab')
  await dialog.getByText(texts.date.no_such_day).waitFor()
}
