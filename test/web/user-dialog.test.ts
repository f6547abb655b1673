import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, aUser, type School } from '../support/factory.ts'
import { anInvitation } from '../support/invitations.ts'

const service = useService()
const open = useBrowser(service)

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  await school.instructor()
})

const dialog = () => page.getByRole('dialog').last()
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()

async function openUser(name: string): Promise<void> {
  page = await open('/users', { as: school })
  await page.getByRole('listitem').filter({ hasText: name }).getByRole('button').click()
}

describe('the dialog of a user', () => {
  it('keeps its changes when the user is enabled or disabled', async () => {
    const { id } = await aUser(service(), school.tenantId, { name: 'Ben Office', role: 'office' })
    must(200, await school.client.patch(`/users/${id}`, { disabled: true }))
    const stored = async () => (await school.client.get(`/users/${id}`)).body
    await openUser('Ben Office')
    await dialog().getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Owner' }).click()
    await press('Enable')
    await page.getByText('Ben Office can log in again').waitFor()
    await press('Disable')
    await press('Disable')
    await page.getByText('Ben Office is disabled').waitFor()
    await press('Enable')
    await expect.poll(stored).toMatchObject({ disabled: false, role: 'office' })
    await press('Save')
    await page.getByText('Saved: Ben Office').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await stored()).toMatchObject({ disabled: false, role: 'owner' })
  })

  it('saves a name after the address of the invitation was corrected', async () => {
    const { id } = await anInvitation(school)
    await openUser('Ida Invited')
    await press('Correct the address')
    await dialog().getByLabel('E-mail').fill(`right-${school.tenantId}@school.example`)
    await press('Invite again')
    await dialog().getByLabel('Link', { exact: true }).waitFor()
    await dialog().getByLabel('Name').fill('Ida Right')
    await press('Save')
    await page.getByText('Saved: Ida Right').waitFor()
    expect((await school.client.get(`/users/${id}`)).body).toMatchObject({
      name: 'Ida Right',
      email: `right-${school.tenantId}@school.example`,
    })
  })
  it('saves a name after the address of the user was changed', async () => {
    const { id } = await aUser(service(), school.tenantId, { name: 'Ben Office', role: 'office' })
    const email = `ben-${school.tenantId}@school.example`
    await openUser('Ben Office')
    await press('Change address')
    await dialog().getByLabel('New e-mail address').fill(email)
    await press('Change')
    await page.getByText(`The address is now ${email}.`).waitFor()
    await dialog().getByLabel('Name').fill('Ben Right')
    await press('Save')
    await page.getByText('Saved: Ben Right').waitFor()
    expect((await school.client.get(`/users/${id}`)).body).toMatchObject({ name: 'Ben Right', email })
  })
})
