import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { CERTIFICATE, startReceiver } from '../test/support/receiver.ts'
import type { Checkout } from './checkout.ts'
import { enrolSchool, foundSchool, PASSWORD } from './idle-school.ts'
import { median } from './median.ts'
import type { Undo } from './servers.ts'

const MESSAGES_THAT_HANG = 12
const FIRST_DAY = Date.parse('2032-03-01')

type Environment = Readonly<Record<string, string>>
type School = { readonly book: (day: number) => Promise<void> }

/** Measures the seconds from a booking to its notice at the school's program: alone, and beside a school whose program hangs. */
export async function noticesBeside(
  checkout: Checkout,
  env: Environment,
  { undo, rounds }: { readonly undo: Undo; readonly rounds: number },
): Promise<string> {
  const emails = ['Sued', 'Nord'].map((name) => foundSchool(checkout, env, name))
  const settings = { ...(await mailbox(undo)), ...trust(undo), WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const { port, stop } = await checkout.serve({ ...env, ...settings, PORT: '0' })
  undo.push(stop)
  const url = `http://127.0.0.1:${port}`
  const answering = await startReceiver()
  const hanging = await startReceiver(() => new Promise(() => undefined))
  undo.push(answering.close, hanging.close)
  const [sued, nord] = [
    await aSchool(url, emails[0] ?? '', answering.url),
    await aSchool(url, emails[1] ?? '', hanging.url),
  ]
  let day = 0
  const notice = async () => {
    const start = performance.now()
    const count = answering.received.length + 1
    day += 1
    await sued.book(day)
    await answering.receives(count)
    return (performance.now() - start) / 1000
  }
  const alone: number[] = []
  for (let round = 0; round < rounds; round += 1) alone.push(await notice())
  for (let message = 1; message <= MESSAGES_THAT_HANG; message += 1) await nord.book(message)
  await hanging.receives(1)
  const beside: number[] = []
  for (let round = 0; round < rounds; round += 1) beside.push(await notice())
  const [one, other] = [median(alone), median(beside)]
  return `| a notice to a program | seconds | of alone |\n|---|---:|---:|
| alone | ${one.toFixed(1)} | |
| beside a program that hangs with ${MESSAGES_THAT_HANG} messages | ${other.toFixed(1)} | ${(other / one).toFixed(1)} |`
}

async function mailbox(undo: Undo): Promise<Environment> {
  const worker = new Worker(new URL('mailbox.ts', import.meta.url))
  undo.push(() => worker.terminate())
  const [port] = await once(worker, 'message')
  return {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'bench@school.example',
    PUBLIC_URL: 'https://bench.example',
  }
}

/** Returns the setting with which the service trusts the receivers. */
function trust(undo: Undo): Environment {
  const folder = mkdtempSync(join(tmpdir(), 'fahrplan-notices-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'receiver.pem')
  writeFileSync(file, CERTIFICATE)
  return { NODE_EXTRA_CA_CERTS: file }
}

/** Returns a school that tells its students of bookings by a program. */
async function aSchool(url: string, email: string, program: string): Promise<School> {
  const [instructor_id] = await enrolSchool(url, email, { students: 1, instructors: 1, lessonsADay: 1 })
  const json = { 'content-type': 'application/json' }
  let headers: Environment = json
  const ask = async <T = { readonly id: string }>(
    method: string,
    path: string,
    body?: object,
  ): Promise<T> => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const { token } = await ask<{ token: string }>('POST', '/auth/login', { email, password: PASSWORD })
  headers = { ...json, authorization: `Bearer ${token}` }
  await ask('PATCH', '/tenant', { messages: { booked: true } })
  await ask('POST', '/webhooks', { url: program, events: ['message.send'] })
  const reached = { messages_consent: true, message_channel: 'webhook', phone: '030 5550145' }
  const { id: student_id } = await ask('POST', '/students', {
    first_name: 'Lena',
    last_name: 'Vogt',
    ...reached,
  })
  const types = await ask<readonly { id: string; code: string }[]>('GET', '/lesson-types')
  const lesson_type_id = types.find(({ code }) => code === 'PRACTICE')?.id
  return {
    book: async (day) => {
      const date = new Date(FIRST_DAY + day * 86_400_000).toISOString().slice(0, 10)
      const times = { start_at: `${date} 08:00`, end_at: `${date} 09:30` }
      await ask('POST', '/appointments', { instructor_id, student_id, lesson_type_id, ...times })
    },
  }
}
