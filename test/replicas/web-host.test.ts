import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { policyFor } from '../support/web-host.ts'
import { type Daemon, startNginxOver } from './daemons.ts'

const PAGE = '<title>the app</title>'
const FOR_GOOD = 'public, max-age=31536000, immutable'

let folder: string
let nginx: Daemon

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fahrplan-web-host-'))
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), PAGE)
  await writeFile(join(folder, 'assets/main-abc.js'), 'plain')
  await writeFile(join(folder, 'assets/main-abc.js.gz'), gzipSync('packed'))
  nginx = await startNginxOver(folder)
})
afterAll(async () => {
  await nginx?.stop()
  await rm(folder, { recursive: true, force: true })
})

function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${nginx.port}${path}`, { headers })
}

describe("nginx with the app's files", () => {
  it.each([
    '/',
    '/?date=2027-03-01',
    '/students',
    '/students?q=Vogt',
    '/instructors',
    '/index.html',
    '/nothing',
  ])('serves the page at %s with its content security policy and no-cache', async (path) => {
    const answer = await ask(path)
    expect([answer.status, await answer.text()]).toEqual([200, PAGE])
    const again = await ask(path, { 'if-none-match': answer.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    for (const { headers } of [answer, again]) {
      expect(headers.get('cache-control')).toBe('no-cache')
      expect(headers.get('content-security-policy')).toBe(policyFor('https://api.school.example'))
    }
  })

  it('serves assets as immutable, and compressed if the browser accepts it', async () => {
    const plain = await ask('/assets/main-abc.js', { 'accept-encoding': 'identity' })
    expect([plain.status, await plain.text()]).toEqual([200, 'plain'])
    const packed = await ask('/assets/main-abc.js')
    expect([packed.status, await packed.text()]).toEqual([200, 'packed'])
    for (const { headers } of [plain, packed]) {
      expect(headers.get('cache-control')).toBe(FOR_GOOD)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('returns 404 without Cache-Control for an asset of another version', async () => {
    const answer = await ask('/assets/main-old.js')
    expect(answer.status).toBe(404)
    expect(answer.headers.get('cache-control')).toBeNull()
  })
})
