import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../service.ts'

const SCRIPT = 'text/javascript; charset=utf-8'

/** A service worker has a policy of its own: it fetches the app's files from its own host, and does nothing else. */
const WORKER_POLICY = "default-src 'none';connect-src 'self';script-src 'self'"

/** The files that install the app. They keep their names, and browsers ask each time whether they have changed. */
const FILES: Readonly<Record<string, string>> = {
  '/sw.js': SCRIPT,
  '/manifest.webmanifest': 'application/manifest+json',
  '/icon-192.png': 'image/png',
  '/icon-512.png': 'image/png',
  '/icon-maskable.png': 'image/png',
  '/icon-touch.png': 'image/png',
  // Under this name the service worker fetches the page; `/` is the board's.
  '/index.html': 'text/html; charset=utf-8',
}

/** Serves what installs the app, so far as it has been built. `pageHeaders` go with the page. */
export function appFileRoutes(
  app: App,
  webRoot: string,
  pageHeaders: Readonly<Record<string, string>>,
): void {
  for (const [path, type] of Object.entries(FILES)) {
    const file = join(webRoot, path)
    if (!existsSync(file)) continue
    const content = readFileSync(file)
    const headers = { ...pageHeaders, ...(type === SCRIPT && { 'content-security-policy': WORKER_POLICY }) }
    app.get(path, { schema: { hide: true } }, async (_, reply) =>
      reply.headers(headers).type(type).send(content),
    )
  }
}
