import { createPublicKey } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PushKeys } from '../../auth/push-keys.ts'
import { studentActor } from '../../booking/offers/accept-offer.ts'
import { addDevice, removeDevice } from '../../booking/students/student-devices.ts'
import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/problem.ts'
import type { PushSubscription } from '../../db/messages/push-subscriptions.ts'
import { RefusedAddress } from '../../webhooks/addresses.ts'
import {
  DEVICE_POLICY,
  type DeviceStep,
  type DeviceView,
  devicePage,
  manifestOf,
  WORKER,
  WORKER_POLICY,
} from '../pages/device-html.ts'
import { canGetPush } from '../pages/student-data.ts'
import { serviceUrl } from '../requests/public-url.ts'
import { isVerified, neededVerification, type OpenedPage } from '../requests/student-verification.ts'
import type { App, Service } from '../service.ts'
import { acceptForms, FORM_ROUTE, type FormRefusal, press, seeOther } from './student-forms.ts'
import { languageForRequest, sendHtmlPage } from './student-page.ts'

type PageRequest = FastifyRequest<{ Params: { readonly token: string } }>
type OpenedDevices = OpenedPage & { readonly actor: Actor; readonly keys: PushKeys }

/** Routes for messages on a student's devices: the page with the button, its service worker, and the manifest. */
export async function studentDeviceRoutes(app: App, service: Service): Promise<void> {
  acceptForms(app, service)
  const seenIn = (request: PageRequest) => {
    const { tenant } = request.linked ?? {}
    if (!tenant) throw notFound()
    const address = `${serviceUrl(app, service)}/s/${request.params.token}`
    return { tenant, address, language: languageForRequest(request) }
  }
  const send = (request: PageRequest, reply: FastifyReply, view: DeviceView): FastifyReply => {
    reply.header('content-security-policy', DEVICE_POLICY)
    return sendHtmlPage(reply, devicePage(view, seenIn(request)))
  }
  app.get('/s/:token/messages', FORM_ROUTE, async (request: PageRequest, reply) => {
    const opened = openDevices(request, service)
    return send(request, reply, { step: await stepOf(request, service, opened) })
  })
  app.post('/s/:token/messages', FORM_ROUTE, async (request: PageRequest, reply) => {
    const opened = openDevices(request, service)
    const refused = await press(request, reply, { service, opened, acts: actsOf(service, opened) })
    if (!refused) return seeOther(request, reply)
    const { hint, status, step = await stepOf(request, service, opened) } = refused
    return send(request, reply.code(status), { step, hint })
  })
  app.get('/s/:token/worker.js', FORM_ROUTE, async (_: PageRequest, reply) =>
    reply
      .header('content-security-policy', WORKER_POLICY)
      .type('text/javascript; charset=utf-8')
      .send(WORKER),
  )
  app.get('/s/:token.webmanifest', FORM_ROUTE, async (request: PageRequest, reply) =>
    reply.type('application/manifest+json').send(manifestOf(seenIn(request))),
  )
}

/** Returns the opened page. Throws `not_found`, also if the student can get no messages on devices. */
function openDevices(request: FastifyRequest, service: Service): OpenedDevices {
  const { tenant, page } = request.linked ?? {}
  const { pushKeys: keys, now: clock } = service
  if (!tenant || !page || !keys || !canGetPush(service, { tenant, page })) throw notFound()
  const now = clock()
  return { tenant, page, now, keys, actor: studentActor(page, { tenant, now, set_id: request.id }) }
}

/** Returns the next step: a verification first, so that nobody with a forwarded link can get the messages. */
async function stepOf(request: FastifyRequest, service: Service, opened: OpenedDevices): Promise<DeviceStep> {
  if (!isVerified(request, service, opened)) return { kind: await neededVerification(service, opened) }
  return { kind: 'act', publicKey: opened.keys.publicKey }
}

function actsOf({ db, addresses }: Service, { actor, page }: OpenedDevices) {
  return {
    subscribe: async (form: URLSearchParams): Promise<FormRefusal | undefined> => {
      const device = deviceIn(form)
      if (!device) return { status: 400 }
      try {
        await addresses.of(new URL(device.endpoint).hostname)
      } catch (error) {
        if (!(error instanceof RefusedAddress)) throw error
        return { status: 400 }
      }
      await addDevice(db, actor, page, device)
      return undefined
    },
    unsubscribe: async (form: URLSearchParams): Promise<FormRefusal | undefined> => {
      await removeDevice(db, actor, page, form.get('endpoint') ?? '')
      return undefined
    },
  }
}

const LONGEST_ENDPOINT = 1_000
const AUTH_BYTES = 16

/** Returns the subscription in a form, or undefined if no browser can have made it. */
function deviceIn(form: URLSearchParams): PushSubscription | undefined {
  const [endpoint, p256dh, auth] = [
    form.get('endpoint') ?? '',
    form.get('p256dh') ?? '',
    form.get('auth') ?? '',
  ]
  const isSecret = isBase64Url(auth) && Buffer.from(auth, 'base64url').length === AUTH_BYTES
  return isEndpoint(endpoint) && isPublicKey(p256dh) && isSecret ? { endpoint, p256dh, auth } : undefined
}

function isEndpoint(text: string): boolean {
  if (text.length > LONGEST_ENDPOINT || !URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return protocol === 'https:' && username + password + hash === ''
}

function isBase64Url(text: string): boolean {
  return /^[\w-]+$/.test(text)
}

/** Whether a text is an uncompressed point of P-256 in base64url. */
function isPublicKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url')
  if (!isBase64Url(text) || bytes.length !== 65 || bytes[0] !== 4) return false
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((part) => part.toString('base64url'))
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    return true
  } catch {
    return false
  }
}
