import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readServiceConfig } from '../../src/config.ts'
import { createApp } from '../../src/http/app.ts'
import { useService } from '../support/app.ts'
import { JWT_SECRET } from '../support/environment.ts'
import { aSchool, type School } from '../support/factory.ts'
import { addStudents, beginReading } from '../support/long-list.ts'
import { askRaw, type RawRequest } from '../support/raw-client.ts'

const service = useService()
const API = '/api/v1'
const CODINGS = ['br', 'gzip'] as const
let school: School
let path: string

beforeAll(async () => {
  school = await aSchool(service())
  const { id } = await school.student({ notes: 'Wiederholung: Einparken rückwärts. '.repeat(100) })
  path = `/students/${id}`
})

const ask = (at: string, coding: string | undefined, { headers, ...question }: Partial<RawRequest> = {}) =>
  askRaw(service(), `${API}${at}`, {
    ...question,
    headers: {
      ...school.client.headers,
      ...(coding === undefined ? {} : { 'accept-encoding': coding }),
      ...headers,
    },
  })

describe('a long response', () => {
  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['*', 'gzip'],
    ['gzip, br;q=0.5', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['nonsense', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('for Accept-Encoding %j has Content-Encoding %j', async (accepted, coding) => {
    for (const at of [path, '/bootstrap', '/license-class-templates']) {
      const plain = await ask(at, 'identity')
      const { status, headers, bytes, text } = await ask(at, accepted)
      expect([status, headers['content-encoding'], text], at).toEqual([200, coding, plain.text])
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      if (headers['content-length'] !== undefined)
        expect(Number(headers['content-length'])).toBe(bytes.length)
      if (coding) expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
    }
  })

  it('is compressed with status 400 as well', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field_${index}`, 1]))
    const body = JSON.stringify(unknown)
    const json = { 'content-type': 'application/json' }
    const { status, headers, text } = await ask('/students', 'gzip', { method: 'POST', headers: json, body })
    expect([status, headers['content-encoding']]).toEqual([400, 'gzip'])
    expect(JSON.parse(text).errors).toHaveLength(52)
  })

  it('is compressed for the API documentation', async () => {
    for (const page of ['/docs/openapi.json', '/docs/problems']) {
      const { headers, text } = await askRaw(service(), page, { headers: { 'accept-encoding': 'br' } })
      expect(headers['content-encoding'], page).toBe('br')
      expect(text.length).toBeGreaterThan(1024)
    }
  })
})

it('a short response is not compressed', async () => {
  const { id } = await school.student()
  const unknown = await ask(`/students/${randomUUID()}`, 'gzip')
  for (const answer of [await ask(`/students/${id}`, 'gzip'), await ask(`/students/${id}`, 'br'), unknown]) {
    expect(answer.headers['content-encoding']).toBe(undefined)
    expect(JSON.parse(answer.text)).toBeInstanceOf(Object)
  }
})

it('every response varies on Accept-Encoding and Origin', async () => {
  const tag = String((await ask(path, 'gzip')).headers.etag)
  const known = { headers: { 'if-none-match': tag } }
  const answers = [
    await ask(path, 'gzip'),
    await ask(path, 'identity'),
    await ask(path, 'gzip', known),
    await ask('/bootstrap', 'br'),
    await ask('/auth/me', 'br', { headers: { origin: 'https://elsewhere.example' } }),
    await ask('/nothing', 'br'),
  ]
  for (const { headers } of answers)
    expect(String(headers.vary).toLowerCase().split(', ').sort()).toEqual(['accept-encoding', 'origin'])
})

describe('the ETag', () => {
  it('is strong and differs for each encoding', async () => {
    const codings = ['identity', ...CODINGS]
    for (const at of [path, '/students', '/bootstrap']) {
      const tags = await Promise.all(codings.map(async (coding) => (await ask(at, coding)).headers.etag))
      for (const tag of tags) expect(tag, at).toMatch(/^"[^"]+"$/)
      expect(new Set(tags).size, at).toBe(codings.length)
    }
  })

  it.each(['identity', ...CODINGS])('of %s returns 304 for any Accept-Encoding', async (coding) => {
    for (const at of [path, '/students', '/bootstrap']) {
      const tag = String((await ask(at, coding)).headers.etag)
      for (const known of [tag, `W/${tag}`, `"old", ${tag}`]) {
        const headers = { 'if-none-match': known }
        for (const taken of ['identity', ...CODINGS]) {
          const { status, headers: said, bytes } = await ask(at, taken, { headers })
          expect([status, said.etag, bytes.length]).toEqual([304, tag, 0])
          expect(said['content-encoding']).toBe(undefined)
        }
      }
    }
  })

  it.each(['identity', ...CODINGS])('of %s is accepted as If-Match for only one change', async (coding) => {
    const tag = String((await ask(path, coding)).headers.etag)
    const change = (ifMatch: string) =>
      ask(path, coding, {
        method: 'PATCH',
        headers: { 'if-match': ifMatch, 'content-type': 'application/json' },
        body: JSON.stringify({ phone: `112 ${randomUUID()}` }),
      })
    expect((await change(`W/${tag}`)).status).toBe(412)
    const changed = await change(tag)
    expect([changed.status, changed.headers.etag]).toEqual([200, (await ask(path, coding)).headers.etag])
    expect((await change(tag)).status).toBe(412)
    expect((await change(String(changed.headers.etag))).status).toBe(200)
  })
})

describe.each(['identity', ...CODINGS])('Accept-Encoding %s', (coding) => {
  it('returns the same headers for HEAD as for GET, without the body', async () => {
    for (const at of [path, '/bootstrap', '/students?limit=1', '/auth/me']) {
      const [got, head] = [await ask(at, coding), await ask(at, coding, { method: 'HEAD' })]
      expect([head.status, head.bytes.length]).toEqual([200, 0])
      for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary', 'link'])
        expect(head.headers[name], `${name} of ${at}`).toBe(got.headers[name])
    }
  })

  it('does not set Content-Encoding on the 204 of a deletion', async () => {
    const { id } = await school.student()
    const { status, headers, bytes } = await ask(`/students/${id}`, coding, { method: 'DELETE' })
    expect([status, headers['content-encoding'], bytes.length]).toEqual([204, undefined, 0])
  })
})

it.each(['/auth/login', '/auth/refresh'])(
  'the response of %s is never compressed, however long',
  async (at) => {
    const body = JSON.stringify(
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, 1])),
    )
    const headers = { 'content-type': 'application/json' }
    const answer = await ask(at, 'gzip, br', { method: 'POST', headers, body })
    expect([answer.status, answer.headers['content-encoding']]).toEqual([400, undefined])
    expect(answer.bytes.length).toBeGreaterThan(1024)
  },
)

it('a compressed request body is rejected with 400 malformed_json', async () => {
  const body = gzipSync(JSON.stringify({ first_name: 'Zip', last_name: 'Zip' }))
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const answer = await ask('/students', 'gzip', { method: 'POST', headers, body })
  expect([answer.status, JSON.parse(answer.text).code]).toEqual([400, 'malformed_json'])
  expect((await ask('/students', 'gzip')).text).not.toContain('Zip')
})

describe('a list of 30,000 rows', () => {
  let crowd: School

  beforeAll(async () => {
    crowd = await aSchool(service())
    await addStudents(service(), crowd, 30_000)
  })

  it.each(CODINGS)('is streamed as %s while rows are still being read (S86)', async (coding) => {
    const last = (await crowd.client.get('/students')).body.at(-1)
    const notes = `changed while ${coding} flows`
    const reading = await beginReading(service(), crowd, '/students', { 'accept-encoding': coding })
    await crowd.client.patch(`/students/${last.id}`, { notes })
    const rows = JSON.parse(await reading.rest())
    expect(reading.headers.get('content-encoding')).toBe(coding)
    expect(rows).toHaveLength(30_000)
    expect(rows.at(-1)).toMatchObject({ id: last.id, notes })
  })

  it.each(CODINGS)('returns 304 for its ETag as %s', async (coding) => {
    const taken = { 'accept-encoding': coding }
    const reading = await beginReading(service(), crowd, '/students', taken)
    await reading.rest()
    const tag = reading.headers.get('etag') ?? ''
    expect((await crowd.client.get('/students', { ...taken, 'if-none-match': tag })).status).toBe(304)
  })
})

describe('the files of the web app', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fahrplan-web-'))
  const script = 'console.log("Fahrplan")\n'.repeat(200)
  const packed = brotliCompressSync(script)
  let url: string

  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<title>the app</title>')
    for (const name of ['packed', 'bare']) writeFileSync(join(folder, `assets/${name}.js`), script)
    writeFileSync(join(folder, 'assets/packed.js.br'), packed)
    const config = readServiceConfig({ JWT_SECRET, LOG_LEVEL: 'silent' })
    const { app } = await createApp({ db: service().db, config, webRoot: folder })
    url = await app.listen({ host: '127.0.0.1', port: 0 })
    afterAll(async () => {
      await app.close()
      rmSync(folder, { recursive: true })
    })
  })

  it('are served as compressed by the build, and never compressed on request', async () => {
    const headers = { 'accept-encoding': 'gzip, br' }
    const known = await askRaw({ url }, '/assets/packed.js', { headers })
    expect([known.headers['content-encoding'], known.bytes.equals(packed)]).toEqual(['br', true])
    const bare = await askRaw({ url }, '/assets/bare.js', { headers })
    expect([bare.headers['content-encoding'], bare.text]).toEqual([undefined, script])
  })
})
