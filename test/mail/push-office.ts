import { expect } from 'vitest'
import type { TestService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { Device } from '../support/device.ts'
import type { Row } from '../support/factory.ts'
import type { Receiver } from '../support/receiver.ts'
import { StudentBrowser } from '../support/student-browser.ts'
import type { MessageOffice } from './message-office.ts'

/** The settings of a service with a contact for push services. Tests start their own mail servers. */
export const WITH_CONTACT = {
  webhookAllowedNetworks: ['127.0.0.0/8'],
  mail: {
    host: '127.0.0.1',
    port: 25,
    tls: 'none' as const,
    user: undefined,
    password: undefined,
    from: { address: 'office@fahrplan.example', name: undefined },
  },
}

/** Lets students' browsers subscribe to messages without a verification, and opens one at a new link. */
export async function openBrowser(
  service: TestService,
  { school, student }: Pick<MessageOffice, 'school' | 'student'>,
  who: Row = student,
): Promise<StudentBrowser> {
  must(200, await school.client.patch('/tenant', { student_actions: { proof: 'none' } }))
  return StudentBrowser.open(service, school, who)
}

/** Subscribes a new device of the push service, as the page's button does. */
export async function subscribe(browser: StudentBrowser, pushService: Receiver): Promise<Device> {
  const device = new Device(pushService)
  const { status, text } = await browser.pressMessages({ act: 'subscribe', ...device.fields })
  expect(status, text).toBe(303)
  return device
}
