import type { Scene } from './scene.ts'
import { scenesOfPeople } from './scenes-of-people.ts'

const { student, instructorLimits } = scenesOfPeople

const studentLink: Scene = async (page, texts) => {
  await student(page, texts)
  const dialog = page.getByRole('dialog')
  await dialog.getByText(texts.links.page).click()
  // An earlier picture may have made a link.
  const make = dialog.getByRole('button', { name: texts.links.make })
  const renew = dialog.getByRole('button', { name: texts.links.renew })
  await make.or(renew).first().click()
  const address = dialog.getByLabel(texts.links.address, { exact: true })
  if (await dialog.getByText(texts.links.renewAsk).isVisible()) await renew.click()
  await address.scrollIntoViewIfNeeded()
}

const studentPage: Scene = async (page, texts) => {
  await studentLink(page, texts)
  const address = page.getByRole('dialog').getByLabel(texts.links.address, { exact: true })
  await page.goto(await address.inputValue())
  await page.locator('time').first().waitFor()
}

/** The actions for an existing calendar link. */
const calendarFeed: Scene = async (page, texts) => {
  await instructorLimits(page, texts)
  const dialog = page.getByRole('dialog')
  await dialog.getByText(texts.links.calendar).click()
  const make = dialog.getByRole('button', { name: texts.links.make })
  const renew = dialog.getByRole('button', { name: texts.links.renew })
  await make.or(renew).first().click()
  await renew.waitFor()
  await renew.scrollIntoViewIfNeeded()
}

/** Scenes of secret links. */
export const scenesOfLinks = { studentLink, studentPage, calendarFeed } satisfies Record<string, Scene>
