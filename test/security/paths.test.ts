import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readServiceConfig } from '../../src/config.ts'
import { createApp } from '../../src/http/app.ts'
import { useService } from '../support/app.ts'
import { JWT_SECRET } from '../support/environment.ts'
import { sendLines } from '../support/wire.ts'

const service = useService()
const webRoot = mkdtempSync(join(tmpdir(), 'fahrplan-paths-'))
let url: string

beforeAll(async () => {
  mkdirSync(join(webRoot, 'assets/inner'), { recursive: true })
  for (const file of ['index.html', 'secret.txt', 'assets/main.js', 'assets/inner/part.js'])
    writeFileSync(join(webRoot, file), 'canary')
  const config = readServiceConfig({ JWT_SECRET, LOG_LEVEL: 'silent' })
  const { app } = await createApp({ db: service().db, config, webRoot })
  afterAll(() => app.close())
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => rmSync(webRoot, { recursive: true }))

const PREFIXES = [
  '/docs/static/',
  '/docs/',
  '/assets/',
  '/assets/inner/',
  '/',
  '/api/v1/',
  '/api/v1/students/',
]
const DOTS = [
  '..',
  '../',
  '../x',
  '../../etc/passwd',
  'x/..',
  'x/../../y',
  '.',
  './x',
  '...',
  '....//x',
  '..;/x',
]
const ENCODED = [
  '%2e',
  '%2e%2e/x',
  '%2e%2e%2fx',
  '..%2fsecret.txt',
  '.%2e/x',
  '%252e%252e/x',
  'x%2f..%2f..%2fy',
]
const BYTES = [
  '%00',
  'x%00.js',
  'main.js%00',
  '%0a',
  '%0d%0aX:y',
  '%ff',
  '%c0%ae%c0%ae/x',
  '%zz',
  '%',
  '%u002e',
]
const SLASHES = [
  '/',
  '//',
  '//x',
  '/x',
  '%2f',
  '%2f%2fx',
  '\\x',
  '..\\x',
  '%5c',
  '%5c..%5cx',
  'C:/x',
  'C:%5cx',
]
const NAMES = [
  '.git',
  '.env',
  '%2e%67it',
  'package.json',
  'main.js/',
  'inner',
  'inner/',
  'inner/..',
  '*',
  '[',
  '$',
]
const LONG = ['a'.repeat(300), 'a'.repeat(5000), 'a/'.repeat(2000), '../'.repeat(2000)]
const TAILS = [...DOTS, ...ENCODED, ...BYTES, ...SLASHES, ...NAMES, ...LONG]

it.each(PREFIXES)('no path below %s causes a 5xx or exposes another file (S105)', async (prefix) => {
  for (const tail of TAILS)
    for (const method of ['GET', 'HEAD']) {
      const { host } = new URL(url)
      const lines = [`${method} ${prefix}${tail} HTTP/1.1`, `Host: ${host}`, 'Authorization: none']
      const { status, text } = await sendLines({ ...service(), url }, lines)
      expect(status, `${method} ${prefix}${tail}`).toBeGreaterThanOrEqual(200)
      expect(status, `${method} ${prefix}${tail}`).toBeLessThan(500)
      expect(text, `${method} ${prefix}${tail}`).not.toMatch(/canary|root:/)
    }
})

it.each(['../x', '%2e%2e/x', '%00', '\\x', '/x', 'x'.repeat(300)])(
  'GET /docs/static/%s returns 404 not_found',
  async (tail) => {
    const { host } = new URL(url)
    const answer = await sendLines({ ...service(), url }, [
      `GET /docs/static/${tail} HTTP/1.1`,
      `Host: ${host}`,
    ])
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'))
  },
)
