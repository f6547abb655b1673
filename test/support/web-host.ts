import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { ROOT } from './process.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

/** The origin of the API in the operator's example. */
const EXAMPLE_API = 'https://api.school.example'

/** Returns the Content-Security-Policy that the operator's nginx sends for an API at this origin. */
export function policyFor(api: string): string {
  const site = readFileSync(join(ROOT, 'deploy/web/nginx.conf'), 'utf8')
  const [, policy = ''] = /^ {4}default "(default-src[^"]+)"/m.exec(site) ?? []
  if (!policy.includes(EXAMPLE_API)) throw new Error(`deploy/web/nginx.conf has no policy for ${EXAMPLE_API}`)
  return policy.replaceAll(EXAMPLE_API, api)
}

/** Builds the app for an API at this origin and serves it on a port. Returns a function that stops it. */
export async function startWebHost(port: number, api: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'fahrplan-web-host-'))
  buildWeb(folder, api)
  const server = createServer(appIn(folder, policyFor(api)))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true })
  }
}

/** Builds the app into a folder. The app that the service serves stays as it is. */
function buildWeb(folder: string, api: string): void {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const { status, stderr } = spawnSync(
    process.execPath,
    [vite, 'build', '--logLevel', 'error', '--outDir', folder],
    { cwd: ROOT, env: { ...process.env, NODE_ENV: 'production', VITE_API_URL: api }, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`vite ended with ${status}:\n${stderr}`)
}

/** Returns a listener that serves the files in a folder, and the page for paths without a known file type. */
function appIn(folder: string, policy: string): RequestListener {
  return async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://app')
    const type = TYPES[extname(pathname)]
    const content = await readFile(join(folder, type ? pathname : 'index.html')).catch(() => undefined)
    response.writeHead(content ? 200 : 404, {
      'content-type': type ?? 'text/html; charset=utf-8',
      'content-security-policy': policy,
    })
    response.end(content)
  }
}
