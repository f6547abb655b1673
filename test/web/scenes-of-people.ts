import type { Page } from 'playwright-core'
import type { Scene } from './scene.ts'

const students: Scene = async (page, { nav }) => {
  await page.getByRole('link', { name: nav.students }).click()
  await page.getByRole('heading', { name: nav.students }).waitFor()
}

/** An instructor who is away today, with a decision on each lesson. */
const absence: Scene = async (page, { nav, absencePage }) => {
  await page.getByRole('link', { name: nav.instructors }).click()
  await page.getByRole('link', { name: absencePage.handle }).first().click()
  await page.getByRole('radio').first().waitFor()
  await page.getByRole('button', { name: absencePage.proposals }).click()
  await page.getByText(absencePage.decided).waitFor()
}

const nobody: Scene = async (page, texts) => {
  await students(page, texts)
  await page.getByRole('searchbox').fill('xyz')
}

/** The late cancellations and no-shows of the month. */
const missed: Scene = async (page, texts) => {
  await students(page, texts)
  await page.getByLabel(texts.student.list, { exact: true }).selectOption(texts.missed.show)
  await page.getByRole('textbox', { name: texts.missed.from }).waitFor()
}

/** The settings with an unsaved rule for cancellations. */
const policy: Scene = async (page, texts) => {
  await settings(page, texts)
  await chapter(page, texts, 'cancellations')
  await page.getByRole('button', { name: texts.policy.add }).click()
  await page.getByRole('button', { name: texts.policy.add }).click()
  await page.getByRole('combobox', { name: texts.policy.unit }).last().selectOption('days_before')
}

const student: Scene = async (page, texts) => {
  await students(page, texts)
  await page.getByRole('listitem').nth(8).getByRole('button').click()
  await page.getByRole('dialog').locator('[data-progress]').waitFor()
}

const newStudent: Scene = async (page, texts) => {
  await students(page, texts)
  await page.getByRole('button', { name: texts.student.add }).click()
  await page.getByRole('dialog').getByLabel(texts.field.notes).waitFor()
}

/** A new student with the name of an existing one. */
const sameStudent: Scene = async (page, texts) => {
  await students(page, texts)
  const name = await page.getByRole('listitem').getByRole('button').locator('span').first().innerText()
  await page.getByRole('button', { name: texts.student.add }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(texts.field.last_name).fill(name.split(' ').at(-1) ?? '')
  await dialog.getByLabel(texts.field.first_name).fill(name.split(' ').slice(0, -1).join(' '))
  await dialog.getByText(texts.same.title).waitFor()
}

/** Returns the scene of an import of a file with these lines. */
const importOf =
  (lines: readonly string[]): Scene =>
  async (page, texts) => {
    await students(page, texts)
    await page.getByRole('button', { name: texts.files.import, exact: true }).click()
    const dialog = page.getByRole('dialog')
    const buffer = Buffer.from(['Vorname;Nachname;Geburtsdatum;Klasse;Kundennummer', ...lines].join('\n'))
    await dialog.getByRole('button', { name: texts.files.choose }).waitFor()
    await dialog
      .locator('input[type="file"]')
      .setInputFiles({ name: 'schueler.csv', mimeType: 'text/csv', buffer })
    await dialog.getByText(texts.files.columns, { exact: true }).waitFor()
  }

const importFaulty = importOf(['Ada;Lovelace;30.02.2008;B197;1', 'Grace;;9.12.2006;Z;2', 'Alan;Turing;;B;3'])

const importDuplicates: Scene = async (page, texts) => {
  await importOf(['Ada;Lovelace;10.12.2007;B197;1', 'Ada;Lovelace;;B;2', 'Alan;Turing;;B;3'])(page, texts)
  await page.getByRole('checkbox').last().check()
}

const exportFile: Scene = async (page, texts) => {
  await students(page, texts)
  await page.getByRole('button', { name: texts.files.export, exact: true }).click()
  await page.getByRole('radio', { name: texts.files.worked }).check()
  await page.getByLabel(texts.files.from).waitFor()
}

const deleteStudent: Scene = async (page, texts) => {
  await student(page, texts)
  await page.getByRole('dialog').getByRole('button', { name: texts.action.delete }).click()
  await page.getByRole('dialog').nth(1).waitFor()
}

const instructors: Scene = async (page, { nav }) => {
  await page.getByRole('link', { name: nav.instructors }).click()
  await page.getByRole('heading', { name: nav.instructors }).waitFor()
}

const instructor: Scene = async (page, texts) => {
  await instructors(page, texts)
  await page.getByRole('link', { name: 'Hoffmann' }).click()
  await page.getByRole('dialog').locator('[data-weekday="1"]').scrollIntoViewIfNeeded()
}

const instructorLimits: Scene = async (page, texts) => {
  await instructors(page, texts)
  await page.getByRole('link', { name: 'Hoffmann' }).click()
  await page.getByRole('dialog').getByLabel(texts.field.first_name).waitFor()
}

const instructorAffected: Scene = async (page, texts) => {
  await instructors(page, texts)
  await page.getByRole('link', { name: 'Krüger' }).click()
  await page.getByRole('button', { name: texts.instructor.addVacation }).click()
  await page.getByRole('dialog').getByRole('status').last().scrollIntoViewIfNeeded()
}

const studentHistory: Scene = async (page, texts) => {
  await student(page, texts)
  await page.getByRole('dialog').getByText(texts.changes.history).click()
  await page.getByRole('dialog').locator('ol li').first().scrollIntoViewIfNeeded()
}

const instructorHistory: Scene = async (page, texts) => {
  await instructorLimits(page, texts)
  await page.getByRole('dialog').getByText(texts.changes.history).click()
  await page.getByRole('dialog').locator('ol li').last().scrollIntoViewIfNeeded()
}

/** Opens a chapter of the settings, from the list of another one in a narrow window. */
async function chapter(
  page: Page,
  texts: Parameters<Scene>[1],
  name: keyof Parameters<Scene>[1]['settings']['chapters'],
): Promise<void> {
  await page.getByRole('heading', { name: texts.nav.settings }).waitFor()
  const link = page
    .getByRole('navigation', { name: texts.settings.chapterList })
    .getByRole('link', { name: texts.settings.chapters[name], exact: true })
  if (!(await link.isVisible())) await page.getByRole('link', { name: texts.settings.allChapters }).click()
  await link.click()
}

const settings: Scene = async (page, texts) => {
  await page.getByRole('button', { name: texts.app.menu }).click()
  await page.getByRole('link', { name: texts.nav.settings }).click()
  await chapter(page, texts, 'instructors')
  await page.locator('[data-weekday="1"]').waitFor()
}

const account: Scene = async (page, texts) => {
  await page.getByRole('button', { name: texts.app.menu }).click()
  await page.getByRole('link', { name: texts.nav.account }).click()
  await page.getByText(texts.account.thisOne).waitFor()
}

/** Scenes of students, instructors and the school: lists, forms and dialogs. */
export const scenesOfPeople = {
  missed,
  policy,
  absence,
  students,
  nobody,
  student,
  newStudent,
  sameStudent,
  importFaulty,
  importDuplicates,
  exportFile,
  deleteStudent,
  instructors,
  instructor,
  instructorLimits,
  instructorAffected,
  studentHistory,
  instructorHistory,
  settings,
  account,
} satisfies Record<string, Scene>
