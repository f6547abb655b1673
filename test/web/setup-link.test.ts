import { afterEach, beforeEach, expect, it } from 'vitest'
import { setupToken } from '../../src/auth/setup-token.ts'
import { openOwnDatabase, startService, type TestService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { JWT_SECRET } from '../support/environment.ts'
import { PASSWORD } from '../support/factory.ts'

let service: TestService

// Each try needs an empty installation.
beforeEach(async () => {
  service = await startService(await openOwnDatabase())
})
afterEach(async () => {
  await service.close()
  await service.db.destroy()
})

const open = useBrowser(() => service)
const token = setupToken(JWT_SECRET)

it('the set-up link creates the school once, logs in, and shows the first steps', {
  tags: 'promise',
}, async () => {
  const page = await open(`/setup#${token}`, { locale: 'de-AT', timezoneId: 'Europe/Vienna' })
  await page.getByRole('heading', { name: 'Fahrplan einrichten' }).waitFor()
  expect(page.url()).toBe(`${service.url}/setup`)
  await page.getByLabel('Name der Fahrschule').fill('Fahrschule Donau')
  await page.getByLabel('Ihr Name').fill('Änne Donau')
  await page.locator('input[name=email]').fill('aenne@donau.example')
  await page.locator('input[name=password]').fill(PASSWORD)
  const submit = page.getByRole('button', { name: 'Fahrschule anlegen' })
  await page.context().setOffline(true)
  await submit.click()
  await page.getByRole('alert').getByText('Der Server ist nicht erreichbar').waitFor()
  await page.context().setOffline(false)
  await submit.dblclick()
  await page.getByRole('navigation', { name: 'So fangen Sie an' }).waitFor()
  await page.getByText('Fahrschule Donau').waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  // The session survives a reload, and the setup page has nothing left to set up.
  await page.reload()
  await page.getByText('Fahrschule Donau').waitFor()
  await page.goto(`${service.url}/setup`)
  await page.getByText('ist schon eingerichtet').waitFor()
  await page.getByRole('link', { name: 'Zur Anmeldung' }).click()
  await page.getByText('Fahrschule Donau').waitFor()
  await isOverForEverybodyElse()
})

async function isOverForEverybodyElse(): Promise<void> {
  const page = await open(`/setup#${token}`)
  await page.getByText('is already set up').waitFor()
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.locator('input[name=email]').fill('aenne@donau.example')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('input[name=password]').press('Enter')
  await page.getByText('Fahrschule Donau').waitFor()
}
