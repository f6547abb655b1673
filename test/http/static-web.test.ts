import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readServiceConfig } from '../../src/config.ts'
import { createApp } from '../../src/http/app.ts'
import type { App } from '../../src/http/service.ts'
import { useService } from '../support/app.ts'
import { JWT_SECRET } from '../support/environment.ts'

const service = useService()
const folder = mkdtempSync(join(tmpdir(), 'fahrplan-web-'))
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

afterAll(() => rmSync(folder, { recursive: true }))

async function appWith(webRoot: string, LOG_LEVEL = 'silent', logStream = new PassThrough()): Promise<App> {
  const config = readServiceConfig({ JWT_SECRET, LOG_LEVEL })
  const { app } = await createApp({ db: service().db, config, webRoot, logStream })
  afterAll(() => app.close())
  return app
}

describe('a built web app', () => {
  let app: App

  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<title>the app</title>')
    writeFileSync(join(folder, 'sw.js'), 'worker')
    writeFileSync(join(folder, 'manifest.webmanifest'), '{}')
    writeFileSync(join(folder, 'assets/main-abc.js'), 'plain')
    writeFileSync(join(folder, 'assets/main-abc.js.br'), 'brotli')
    app = await appWith(folder)
  })

  it('serves its page at every path of its router', async () => {
    const router = readFileSync(join(import.meta.dirname, '../../src/web/router.tsx'), 'utf8')
    const paths = [...router.matchAll(/^ {2}path: '(.+)',$/gm)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(10)
    for (const url of [...paths, '/?date=2027-03-01', '/day-sheet?day=2027-03-01']) {
      const { statusCode, body, headers } = await app.inject({ url, headers: HTML })
      expect([statusCode, body, headers['cache-control']], url).toEqual([
        200,
        '<title>the app</title>',
        'no-cache',
      ])
    }
  })

  it('restricts scripts and connections to its own origin, and forbids framing', async () => {
    const { headers } = await app.inject({ url: '/', headers: HTML })
    const policy = String(headers['content-security-policy']).split(';')
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy.join()).not.toContain('upgrade-insecure-requests')
  })

  it('serves its manifest and its service worker, which may fetch only from its own origin', async () => {
    const worker = await app.inject('/sw.js')
    expect([worker.statusCode, worker.body, worker.headers['content-type']]).toEqual([
      200,
      'worker',
      'text/javascript; charset=utf-8',
    ])
    expect(worker.headers['cache-control']).toBe('no-cache')
    expect(worker.headers['content-security-policy']).toBe(
      "default-src 'none';connect-src 'self';script-src 'self'",
    )
    const manifest = await app.inject('/manifest.webmanifest')
    expect([manifest.statusCode, manifest.headers['content-type']]).toEqual([
      200,
      'application/manifest+json',
    ])
    expect((await app.inject('/index.html')).body).toBe('<title>the app</title>')
    expect((await app.inject('/icon-192.png')).statusCode).toBe(404)
  })

  it('logs its files at debug level, and pages and missing files at info level', async () => {
    const stream = new PassThrough()
    const logged = text(stream)
    const logging = await appWith(folder, 'debug', stream)
    const urls = ['/assets/main-abc.js', '/sw.js', '/manifest.webmanifest', '/', '/assets/gone.js']
    for (const url of urls) await logging.inject({ url, headers: HTML })
    stream.end()
    const lines = (await logged)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const levels = lines.filter(({ msg }) => msg === 'request').map(({ path, level }) => [path, level])
    expect(levels).toEqual(urls.map((url, index) => [url, index < 3 ? 20 : 30]))
  })

  it.each(['/studnts', '/students/7', '/nothing/at/all?x=1', '/apis'])(
    'serves its page with 404 at the unknown path %s',
    async (url) => {
      const answer = await app.inject({ url, headers: HTML })
      expect([answer.statusCode, answer.body]).toEqual([404, '<title>the app</title>'])
      expect([answer.headers['cache-control'], answer.headers['content-security-policy']]).toEqual([
        'no-cache',
        expect.stringContaining("script-src 'self'"),
      ])
      expect((await app.inject({ method: 'HEAD', url, headers: HTML })).statusCode).toBe(404)
      const data = await app.inject({ url })
      expect([data.statusCode, data.json().code]).toEqual([404, 'not_found'])
      const written = await app.inject({ method: 'POST', url, headers: HTML })
      expect([written.statusCode, written.json().code]).toEqual([404, 'not_found'])
    },
  )

  it.each([
    ...['/api', '/api/v1', '/api/v1/nothing', '/api/v2/x', '/docs/nothing', '/healthz/x', '/readyz/x'],
    ...['/metrics', '/assets/nothing.js', '/assets/', '/nothing.js', '/wp-login.php'],
  ])('returns a JSON error instead of its page at %s', async (url) => {
    const answer = await app.inject({ url, headers: HTML })
    expect(answer.statusCode).toBeGreaterThanOrEqual(401)
    expect(answer.headers['content-type']).toContain('application/json')
  })

  it('returns 404 to a client that does not accept HTML', async () => {
    expect((await app.inject({ url: '/students' })).statusCode).toBe(404)
    expect((await app.inject({ url: '/students', headers: { accept: 'application/json' } })).statusCode).toBe(
      404,
    )
  })

  it('serves its assets as immutable, and compressed if the browser accepts it', async () => {
    const plain = await app.inject({ url: '/assets/main-abc.js' })
    expect([plain.statusCode, plain.body]).toEqual([200, 'plain'])
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const packed = await app.inject({ url: '/assets/main-abc.js', headers: { 'accept-encoding': 'br' } })
    expect([packed.body, packed.headers['content-encoding']]).toEqual(['brotli', 'br'])
    expect(packed.headers['x-content-type-options']).toBe('nosniff')
  })
})

it('the start page explains how to build a web app that has not been built', async () => {
  const app = await appWith(join(folder, 'nowhere'))
  const answer = await app.inject({ url: '/', headers: HTML })
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('npm run build')
  const other = await app.inject({ url: '/students', headers: HTML })
  expect([other.statusCode, other.json().code]).toEqual([404, 'not_found'])
})
