import { Readable } from 'node:stream'
import fastify from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { compressResponses } from '../responses/compression.ts'
import { sendProblem } from '../responses/problems.ts'
import type { App } from '../service.ts'
import { boundWaits } from './deadlines.ts'

let app: App

afterEach(() => app.close())

it.each(['gzip', 'br'])(
  'a late 503 is plain JSON in place of a stream with %s, which ends',
  async (coding) => {
    app = fastify() as unknown as App
    app.setErrorHandler(sendProblem)
    boundWaits(app, { turn: 1_000, answer: 50, reader: 30_000 })
    await compressResponses(app)
    const stream = new Readable({ read: () => undefined })
    const isEnded = new Promise((resolve) => stream.once('close', resolve))
    app.get('/', (_, reply) => reply.type('application/json').header('etag', '"1"').send(stream))
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const { status, headers, text } = await fetch(url, { headers: { 'accept-encoding': coding } }).then(
      async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }),
    )
    expect([status, headers.get('content-encoding'), headers.get('etag')]).toEqual([503, null, null])
    expect(JSON.parse(text)).toMatchObject({ status: 503, code: 'unavailable' })
    await isEnded
  },
)
