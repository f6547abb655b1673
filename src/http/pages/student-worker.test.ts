import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { WORKER } from './device-html.ts'

type Handler = (event: object) => void

/** Runs the worker against a fake browser, because a headless browser shows no notifications. */
function start() {
  const handlers: Record<string, Handler> = {}
  const done: unknown[] = []
  const self = {
    addEventListener: (name: string, handler: Handler) => {
      handlers[name] = handler
    },
    registration: {
      scope: 'https://fahrplan.example/s/secret/',
      showNotification: (...shown: unknown[]) => done.push(shown),
    },
    clients: { openWindow: (url: string) => done.push(url) },
  }
  runInNewContext(WORKER, { self })
  return { handlers, done, waitUntil: () => undefined }
}

it('the service worker shows a push message with its id as the tag', () => {
  const { handlers, done, waitUntil } = start()
  const message = { id: 'one', title: 'Fahrschule Nord', body: 'Morgen 08:00', lang: 'de' }
  handlers.push?.({ data: { json: () => message }, waitUntil })
  expect(done).toEqual([['Fahrschule Nord', { body: 'Morgen 08:00', lang: 'de', tag: 'one' }]])
})

it('the service worker closes a clicked notification and opens the page', () => {
  const { handlers, done, waitUntil } = start()
  handlers.notificationclick?.({ notification: { close: () => done.push('closed') }, waitUntil })
  expect(done).toEqual(['closed', 'https://fahrplan.example/s/secret'])
})
