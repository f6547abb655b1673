import { afterEach, beforeEach, expect, it } from 'vitest'
import { WITH_CONTACT } from '../mail/push-office.ts'
import { useOwnService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { Device } from '../support/device.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

const service = useOwnService(WITH_CONTACT)
const openPage = useBrowser(service)
let school: School
let student: Row
let push: Receiver

beforeEach(async () => {
  push = await startReceiver()
  school = await aSchool(service())
  student = await school.student({ messages_consent: true })
  const fields = { messages: { reminder: true }, student_actions: { proof: 'none' } }
  must(200, await school.client.patch('/tenant', fields))
})

afterEach(() => push.close())

async function devices(): Promise<number> {
  const rows = await service()
    .db.selectFrom('push_subscriptions')
    .select('endpoint')
    .where('student_id', '=', student.id)
    .execute()
  return rows.length
}

/** Opens the page of messages. No push service can be reached, so the browser's part of a subscription is a fake. */
async function open() {
  const { body } = await school.client.post(`/students/${student.id}/link`)
  const path = body.url.slice(service().url.length)
  const page = await openPage(path)
  await page.context().grantPermissions(['notifications'])
  const { endpoint, ...keys } = new Device(push).fields
  await page.addInitScript(
    ({ endpoint, keys }) => {
      let kept: object | null = null
      const subscription = (options: object) => ({
        endpoint,
        options,
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => {
          kept = null
          return true
        },
      })
      const own = Object.getOwnPropertyDescriptors({
        getSubscription: async () => kept,
        subscribe: async (options: object) => {
          kept = subscription(options)
          return kept
        },
      })
      const { PushManager } = globalThis as unknown as { PushManager: { prototype: object } }
      Object.defineProperties(PushManager.prototype, own)
    },
    { endpoint, keys },
  )
  return { page, path }
}

it('a student turns messages on a device on and off', async () => {
  const { page, path } = await open()
  await page.getByRole('link', { name: 'Get messages on this device' }).click()
  await page.getByRole('button', { name: 'Get messages on this device' }).click()
  await page.getByRole('status').getByText('This device gets your messages.').waitFor()
  expect(await devices()).toBe(1)
  const scopes = await page.evaluate<string[]>(
    'navigator.serviceWorker.getRegistrations().then((all) => all.map(({ scope }) => new URL(scope).pathname))',
  )
  expect(scopes).toEqual([`${path}/`])
  await page.getByRole('button', { name: 'Stop messages on this device' }).click()
  await page.getByRole('button', { name: 'Get messages on this device' }).waitFor()
  expect(await devices()).toBe(0)
})
