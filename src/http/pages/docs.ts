import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyError } from 'fastify'
import type { ServiceConfig } from '../../config.ts'
import { notFound } from '../../contract/problem.ts'
import { PROBLEMS } from '../../contract/problem-messages.ts'
import { compressResponses } from '../responses/compression.ts'
import { sendProblem } from '../responses/problems.ts'
import type { App } from '../service.ts'
import { descriptionFor } from './api-description.ts'
import { ApiDocumentFacts } from './api-document.ts'
import { TAGS } from './api-tags.ts'
import { searchOperations } from './docs-search.ts'

/** Serves the API's description: `/docs` for people, `/docs/openapi.json` for generators, `/docs/problems`. */
export async function documentRoutes(
  app: App,
  { demoLogin }: Pick<ServiceConfig, 'demoLogin'>,
): Promise<void> {
  const facts = new ApiDocumentFacts()
  app.addHook('onRoute', ({ config, schema }) => facts.add(schema, config?.bodyOptional))
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Fahrplan',
        version: '1',
        description: descriptionFor(demoLogin),
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          cookie: { type: 'apiKey', in: 'cookie', name: 'svc_jwt' },
        },
      },
      security: [{ bearer: [] }, { cookie: [] }],
      tags: TAGS,
    },
    transformObject: (document) =>
      facts.complete(
        'openapiObject' in document ? document.openapiObject : document.swaggerObject,
        demoLogin,
      ),
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `def-${index}`),
    },
  })
  await app.register(serveSwaggerUi)
  await app.register(ownPages)
}

/** Serves Swagger UI, compressed: it has more than three megabytes. Paths that the plugin rejects, such as one with dots, are a 404. */
async function serveSwaggerUi(app: App): Promise<void> {
  await compressResponses(app)
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    sendProblem((error.statusCode ?? 500) < 500 ? notFound() : error, request, reply),
  )
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP:
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
    theme: {
      title: 'Fahrplan: the API',
      css: [{ filename: 'theme.css', content: THEME }],
    },
    uiConfig: {
      url: '/docs/openapi.json',
      validatorUrl: null,
      deepLinking: true,
      docExpansion: 'none',
      defaultModelsExpandDepth: 0,
      tryItOutEnabled: true,
      filter: true,
      plugins: [searchOperations],
    },
  })
}

/** Hides the bar that loads other descriptions, and says what the filter finds: the text of Swagger UI, "Filter by tag", cannot be set. */
const THEME = `.swagger-ui .topbar { display: none }
.swagger-ui .operation-filter-input::placeholder { color: transparent }
.swagger-ui .filter::before { content: 'Search: all words of an operation, such as "book appointment"'; display: block; padding-top: 10px }`

async function ownPages(app: App): Promise<void> {
  await compressResponses(app)
  app.get('/docs/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  app.get('/docs/problems', { schema: { hide: true } }, async (_, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .send(problemsPage()),
  )
}

function problemsPage(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status, title, detail }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td><td>${detail}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Fahrplan: problems</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
td,th{text-align:left;vertical-align:top;padding:.4rem .8rem;border-bottom:1px solid #ccc}:target{background:#fff3c4}</style>
<p><a href="/docs">The API</a></p><h1>Problems</h1><p>Every failure is a JSON object with <code>code</code>, <code>status</code>, <code>title</code>,
<code>detail</code> and <code>request_id</code>; <code>params</code> holds the numbers, or nothing, <code>errors</code> every fault of a 400.</p>
<table><tr><th>code</th><th>status</th><th>title</th><th>detail</th></tr>${rows.join('\n')}</table></html>`
}
