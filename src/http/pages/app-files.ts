import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../service.ts'

const SCRIPT = 'text/javascript; charset=utf-8'

/** The policy of the service worker: it only fetches the app's files from its own host. */
const WORKER_POLICY = "default-src 'none';connect-src 'self';script-src 'self'"

/** The files that install the app. Their names never change, so browsers check them each time. */
const FILES: Readonly<Record<string, string>> = {
  '/sw.js': SCRIPT,
  '/manifest.webmanifest': 'application/manifest+json',
  '/icon-192.png': 'image/png',
  '/icon-512.png': 'image/png',
  '/icon-maskable.png': 'image/png',
  '/icon-touch.png': 'image/png',
  // The page as the service worker caches it; `/` is the board.
  '/index.html': 'text/html; charset=utf-8',
}

/** Serves the files that install the app, if it has been built. */
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
