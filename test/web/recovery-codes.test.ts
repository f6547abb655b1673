import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool } from '../support/factory.ts'
import { originOf } from '../support/passkeys.ts'
import { VirtualAuthenticator } from '../support/virtual-authenticator.ts'

const service = useService()
const open = useBrowser(() => ({ url: originOf(service()) }))

it('recovery codes stay when the user goes back or closes the tab, until they are saved', async () => {
  const school = await aSchool(service())
  await school.instructor()
  const page = await open('/', { as: school })
  await VirtualAuthenticator.on(page)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'My account' }).click()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByLabel('Name').fill('Office laptop')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Create new codes' }).click()
  await dialog.getByRole('listitem').first().waitFor()
  const codes = await dialog.getByRole('listitem').allInnerTexts()
  await page.goBack()
  const asking = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await asking
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(codes)
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('10 codes left.').waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Book lesson' }).waitFor()
})
