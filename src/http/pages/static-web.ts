import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../contract/problem.ts'
import type { App } from '../service.ts'
import { appFileRoutes } from './app-files.ts'

/** The output folder of `npm run build`. */
export const WEB_ROOT = join(import.meta.dirname, '../../../dist/web')

/** The addresses of the app's own router. */
const PAGES = [
  '/',
  '/students',
  '/instructors',
  '/changes',
  '/day-sheet',
  '/absence',
  '/inbox',
  '/enquiries',
  '/minutes',
  '/numbers',
  '/records',
  '/settings',
  '/setup',
  '/today',
  '/account',
  '/users',
  '/invitation',
  '/password-reset',
  '/email-change',
  '/requests',
  '/sso',
  '/sso/callback',
]

const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';'),
  'referrer-policy': 'same-origin',
} as const

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Fahrplan</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style>
<h1>Fahrplan</h1><p>The web app has not been built: run <code>npm run build</code>, then start the service again.</p>
<p>The API is at work: <a href="/docs/">its description</a>.</p></html>`

/** Serves the web app: its page at the app's addresses, and its immutable files. */
export async function webRoutes(app: App, webRoot: string): Promise<void> {
  const page = join(webRoot, 'index.html')
  const isBuilt = existsSync(page)
  const html = isBuilt ? readFileSync(page, 'utf8') : NOT_BUILT
  for (const path of isBuilt ? PAGES : ['/']) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => sendPage(request, reply, html))
  }
  if (!isBuilt) return
  appFileRoutes(app, webRoot, PAGE_HEADERS)
  await app.register(staticFiles, {
    root: join(webRoot, 'assets'),
    prefix: '/assets/',
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => {
      reply.header('cache-control', 'public, max-age=31536000, immutable')
    },
  })
}

/** The first segments of paths that are never a page of the app. */
const NO_PAGES: ReadonlySet<string> = new Set(['api', 'assets', 'docs', 'healthz', 'metrics', 'readyz', 's'])

/**
 * Returns a function that sends the app with 404 for an unknown address, if a person requests it and the app has been built. The
 * function returns whether it did.
 */
export function notFoundPageSender(
  webRoot: string,
): (request: FastifyRequest, reply: FastifyReply) => boolean {
  const page = join(webRoot, 'index.html')
  const html = existsSync(page) ? readFileSync(page, 'utf8') : undefined
  return (request, reply) => {
    const [path = ''] = request.url.split('?')
    const [, first = ''] = path.split('/')
    const isPage = !NO_PAGES.has(first) && !path.includes('.') && ['GET', 'HEAD'].includes(request.method)
    if (html === undefined || !isPage || !wantsPage(request)) return false
    sendHtml(reply.code(404), html)
    return true
  }
}

/** Sends a page. Throws `not_found` if a program requests data at its address. */
function sendPage(request: FastifyRequest, reply: FastifyReply, html: string): FastifyReply {
  if (request.url !== '/' && !wantsPage(request)) throw notFound()
  return sendHtml(reply, html)
}

function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true
}

function sendHtml(reply: FastifyReply, html: string): FastifyReply {
  return reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(html)
}
