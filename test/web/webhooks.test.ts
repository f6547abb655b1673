import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { useWebhookDispatchers } from '../webhooks/dispatchers.ts'

const service = useService()
const open = useBrowser(service)
const { hire } = useWebhookDispatchers(service)

it('the settings add a webhook, show its secret once, resend its deliveries, disable and delete it', async () => {
  const school = await aSchool(service())
  const list = async (): Promise<Row[]> => (await school.client.get('/webhooks')).body
  const page = await open('/settings?chapter=webhooks', { as: school })
  await page.getByLabel('Address', { exact: true }).filter({ visible: true }).fill('https://127.0.0.1/')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByText('leads into a private network').waitFor()
  await page.getByLabel('Address', { exact: true }).filter({ visible: true }).fill('https://203.0.113.7/hook')
  await page.getByLabel('Events').fill('student.*, webhook.*')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await expect.poll(() => page.getByLabel('Secret', { exact: true }).inputValue()).toMatch(/^whsec_/)
  await expect.poll(list).toMatchObject([{ events: ['student.*', 'webhook.*'], disabled: false }])
  // No server responds at this address.
  hire({ intervals: { send: 50 } })
  await page.getByText('Deliveries').click()
  await page.getByText('webhook.created').waitFor()
  await page.getByRole('button', { name: /^Send again from here: webhook.created/ }).click()
  await page.getByText('The changes are being sent again.').waitFor()
  await page.getByRole('button', { name: 'Disable: https://203.0.113.7/hook' }).click()
  await expect.poll(list).toMatchObject([{ disabled: true }])
  await page.getByRole('button', { name: 'Enable: https://203.0.113.7/hook' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Enable: https://203.0.113.7/hook' }).waitFor()
  expect(await page.getByLabel('Secret', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Delete: https://203.0.113.7/hook' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(list).toEqual([])
})
