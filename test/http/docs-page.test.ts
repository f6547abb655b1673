import { expect, it } from 'vitest'
import { startService, useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { operationsOf } from '../support/openapi.ts'
import { askRaw } from '../support/raw-client.ts'

const service = useService()
const BUNDLE = '/docs/static/swagger-ui-bundle.js'

const descriptionOf = async (url: string) =>
  (await new Client({ url }).get('//docs/openapi.json')).body.info.description as string

/** Returns the example of a login, with which the page fills in the body. */
const loginOf = async (url: string) =>
  (await new Client({ url }).get('//docs/openapi.json')).body.components.schemas.Credentials.examples

it('the API description explains the login and the conventions, and all of its links work', async () => {
  const text = await descriptionOf(service().url)
  expect(text).toContain('## Log in and try')
  expect(text).toContain('`POST /auth/login`')
  expect(text).toContain('## Recipes')
  expect(text).toContain('## Conventions')
  expect(text).not.toMatch(/demo/)
  const visitor = new Client(service())
  const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path]) => path)
  expect(links).toContain('/docs/problems')
  for (const path of links) expect((await visitor.get(`/${path}`)).status, path).toBe(200)
  expect((await visitor.get('//docs/problems')).text).toContain('href="/docs"')
})

it('the recipes of the API description link to operations that exist, under their tags', async () => {
  const { body } = await new Client(service()).get('//docs/openapi.json')
  const operations = operationsOf(service()).map(
    ({ operation }) => `${operation.tags?.[0]}/${operation.operationId}`,
  )
  const links = [...body.info.description.matchAll(/\]\(#\/([^)]+)\)/g)].map(([, link]) => link)
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter((link) => !operations.includes(link))).toEqual([])
})

it('Swagger UI is compressed, runs no script but its own, and loads nothing from other hosts', async () => {
  const plain = await askRaw(service(), BUNDLE, { headers: {} })
  const coded = await askRaw(service(), BUNDLE, {
    headers: { 'accept-encoding': 'br' },
  })
  expect([plain.status, coded.headers['content-encoding']]).toEqual([200, 'br'])
  expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 3)
  const page = await askRaw(service(), '/docs', { headers: {} })
  expect(page.headers['content-security-policy']).toBe(
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  )
  expect(page.text).not.toMatch(/(src|href)="(?!\/docs\/)/)
})

it('the API description of a demo shows its login, and its password if one is configured', async () => {
  const email = 'office@demo.example'
  const local = await startService(service().db, { demoLogin: { email, password: 'a-b_c1' } })
  const open = await startService(service().db, { demoLogin: { email, password: undefined } })
  try {
    expect(await descriptionOf(local.url)).toContain(
      'log in as `office@demo.example` with the password `a-b_c1`, as the body already says.',
    )
    expect(await loginOf(local.url)).toEqual([{ email, password: 'a-b_c1' }])
    expect(await loginOf(open.url)).toEqual([
      { email: 'office@school.example', password: expect.any(String) },
    ])
    expect(await descriptionOf(open.url)).toContain('the password that the demo printed when it started')
  } finally {
    await Promise.all([local.close(), open.close()])
  }
})
