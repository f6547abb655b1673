import type { Page } from 'playwright-core'
import type { Scene } from './scene.ts'

const INVITED = 'mia.neumann@fahrschule.example'

/** Returns an invitation link, for the same user if an earlier picture has already invited them. */
async function invitation(page: Page): Promise<string> {
  const at = (path: string) => new URL(`/api/v1/users${path}`, page.url()).href
  const data = { email: INVITED, name: 'Mia Neumann', role: 'office' }
  const made = await page.request.post(at(''), { data })
  if (made.ok()) return (await made.json()).invitation.url
  const all: readonly { id: string; email: string }[] = await (await page.request.get(at(''))).json()
  const { id } = all.find(({ email }) => email === INVITED) ?? {}
  return (await (await page.request.post(at(`/${id}/invitation`))).json()).url
}

const users: Scene = async (page, texts) => {
  await invitation(page)
  await page.getByRole('button', { name: texts.app.menu }).click()
  await page.getByRole('link', { name: texts.nav.users }).click()
  await page.getByRole('listitem').nth(1).waitFor()
}

const user: Scene = async (page, texts) => {
  await users(page, texts)
  await page.getByRole('listitem').filter({ hasText: INVITED }).getByRole('button').click()
  await page.getByRole('dialog').getByRole('button', { name: texts.users.lock }).waitFor()
}

const newLink: Scene = async (page, texts) => {
  await user(page, texts)
  await page.getByRole('dialog').getByRole('button', { name: texts.users.newLink }).click()
  await page.getByRole('dialog').getByRole('button', { name: texts.users.copy }).click()
}

const lockUser: Scene = async (page, texts) => {
  await user(page, texts)
  await page.getByRole('dialog').getByRole('button', { name: texts.users.lock }).click()
  await page.getByRole('dialog').nth(1).waitFor()
}

const inviteUser: Scene = async (page, texts) => {
  await users(page, texts)
  await page.getByRole('button', { name: texts.users.invite }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: texts.field.role }).click()
  await page.getByRole('option', { name: texts.role.instructor }).click()
  await page.getByRole('dialog').getByLabel(texts.field.instructor_id).waitFor()
}

const acceptance: Scene = async (page, texts) => {
  const { hash } = new URL(await invitation(page))
  await page.goto(new URL(`/invitation${hash}`, page.url()).href)
  await page.getByLabel(texts.access.password, { exact: true }).waitFor()
}

const goneLink: Scene = async (page, texts) => {
  await page.goto(new URL('/invitation#gone', page.url()).href)
  await page.getByText(texts.access.gone).waitFor()
}

const forgotten: Scene = async (page, texts) => {
  await page.goto(new URL('/password-reset', page.url()).href)
  await page.getByLabel(texts.access.resetAsk).waitFor()
}

const resetPassword: Scene = async (page, texts) => {
  await page.goto(new URL('/password-reset#secret', page.url()).href)
  await page.getByLabel(texts.access.password, { exact: true }).waitFor()
}

/** Scenes of users, invitations and password resets. */
export const scenesOfUsers = {
  users,
  user,
  newLink,
  lockUser,
  inviteUser,
  acceptance,
  goneLink,
  forgotten,
  resetPassword,
} satisfies Record<string, Scene>
