import { expect, it } from 'vitest'
import { startService, useService } from '../support/app.ts'
import { Client } from '../support/client.ts'

const service = useService()

const descriptionOf = async (url: string) =>
  (await new Client({ url }).get('//docs/openapi.json')).body.info.description as string

it('the API description explains the login and the conventions, and all of its links work', async () => {
  const text = await descriptionOf(service().url)
  expect(text).toContain('## Log in and try')
  expect(text).toContain('`POST /auth/login`')
  expect(text).toContain('## Conventions')
  expect(text).not.toMatch(/demo/)
  const visitor = new Client(service())
  const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path]) => path)
  expect(links).toContain('/docs/problems')
  for (const path of links) expect((await visitor.get(`/${path}`)).status, path).toBe(200)
  expect((await visitor.get('//docs/problems')).text).toContain('href="/docs"')
})

it('the API description of a demo shows its login, and its password if one is configured', async () => {
  const email = 'office@demo.example'
  const local = await startService(service().db, { demoLogin: { email, password: 'a-b_c1' } })
  const open = await startService(service().db, { demoLogin: { email, password: undefined } })
  try {
    expect(await descriptionOf(local.url)).toContain(
      'log in as `office@demo.example` with the password `a-b_c1`.',
    )
    expect(await descriptionOf(open.url)).toContain('the password that the demo printed when it started')
  } finally {
    await Promise.all([local.close(), open.close()])
  }
})
