import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'
import { anInvitation } from '../support/invitations.ts'

const service = useService()
const open = useBrowser(service)

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
})

const dialog = () => page.getByRole('dialog').last()
const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
const link = async () => dialog().getByLabel('Link', { exact: true }).inputValue()

/** Creates an invitation whose mail the mail server rejected. */
async function aRefusedInvitation() {
  const invitation = await anInvitation(school)
  const { id, email } = invitation
  await sql`insert into mails (tenant_id, id, to_address, to_name, template, worth_until, finished_at, state, last_error)
    values (${school.tenantId}, ${id}, ${email}, 'Ida', 'invitation', now(), now(), 'given_up',
      'EENVELOPE RCPT TO: 550 no such user')`.execute(service().db)
  return invitation
}

it('an undelivered invitation shows the mail server error and can be sent again', async () => {
  const { email } = await aRefusedInvitation()
  page = await open('/users', { as: school, viewport: { width: 390, height: 844 } })
  await page.getByRole('button', { name: /not delivered: .*550 no such user/ }).click()
  await dialog().getByText(`Is ${email} right?`, { exact: false }).waitFor()
  await press('Send again')
  expect(await link()).toContain('/invitation#')
})

it('the address of an undelivered invitation can be corrected, and the old link stops working', async () => {
  const { token } = await aRefusedInvitation()
  page = await open('/users', { as: school, viewport: { width: 390, height: 844 } })
  await page.getByRole('button', { name: /not delivered: .*550 no such user/ }).click()
  await press('Correct the address')
  await dialog().getByLabel('E-mail').fill(school.user.email)
  await press('Invite again')
  await dialog()
    .getByText(/A user of this school already has this e-mail address/)
    .waitFor()
  const right = `ida-${school.tenantId}@school.example`
  await dialog().getByLabel('E-mail').fill(right)
  await press('Invite again')
  const guest = await open((await link()).replace(service().url, ''))
  await guest.getByText('Ida Invited').waitFor()
  await press('Close')
  await row('Ida Invited').getByText(right).waitFor()
  await expect.poll(() => page.getByText(/not delivered/).count()).toBe(0)
  const late = await open(`/invitation#${token}`)
  await late.getByText(/^This link does not work/).waitFor()
})

it('an invitation is withdrawn after confirmation, and its link stops working', async () => {
  const { id, token } = await anInvitation(school)
  page = await open('/users', { as: school, viewport: { width: 390, height: 844 } })
  await row('Ida Invited').getByRole('button').click()
  await press('Withdraw invitation')
  await dialog()
    .getByText(/link no longer works/)
    .waitFor()
  await press('Cancel')
  expect((await school.client.get('/users')).text).toContain(id)
  await press('Withdraw invitation')
  await press('Withdraw invitation')
  await page.getByText('Invitation for Ida Invited withdrawn').waitFor()
  await row('Ida Invited').waitFor({ state: 'detached' })
  const guest = await open(`/invitation#${token}`)
  await guest.getByText(/^This link does not work/).waitFor()
})
