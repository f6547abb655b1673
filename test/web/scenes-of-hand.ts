import type { Scene } from './scene.ts'

/** A student found by four letters, with their next lesson. */
const found: Scene = async (page, { bar }) => {
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: bar.placeholder }).fill('kaya')
  await page
    .getByRole('option', { selected: true })
    .getByText(bar.next)
    .or(page.getByText(bar.noLesson))
    .waitFor()
}

const commands: Scene = async (page, { bar, login }) => {
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: bar.placeholder }).waitFor()
  await page.getByRole('option', { name: login.logout }).waitFor()
}

const keys: Scene = async (page, texts) => {
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: texts.keys.title }).waitFor()
}

/** A move that was undone. */
const undone: Scene = async (page, { action }) => {
  await page.locator('.lesson-planned[data-lesson]').last().focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('status').getByText(action.undo, { exact: true }).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByRole('status').getByText(action.redo, { exact: true }).waitFor()
}

/** Scenes of global tools: the command bar, the shortcuts, undo. */
export const scenesOfHand = { found, commands, keys, undone } satisfies Record<string, Scene>
