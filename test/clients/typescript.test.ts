// @module-tag long: packs the client and compiles scripts with it; `npm run check` builds it, and recipes.test.ts runs a script

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { ROOT, until } from '../support/process.ts'
import { run, useInstalledClient } from './package.ts'

// biome-ignore lint/suspicious/noExplicitAny: the package is imported from where it was installed; its types are checked with its examples.
type Package = Readonly<Record<string, any>>

const service = useService()
const folder = useInstalledClient()
let client: Package
let school: School
let login: { email: string; password: string }

beforeAll(async () => {
  client = await import(pathToFileURL(join(folder(), 'node_modules/fahrplan-client/dist/index.js')).href)
  school = await aSchool(service())
  const { email } = await aUser(service(), school.tenantId)
  login = { email, password: PASSWORD }
})

const environment = () => ({
  PATH: process.env.PATH,
  FAHRPLAN_URL: service().url,
  FAHRPLAN_EMAIL: login.email,
  FAHRPLAN_PASSWORD: login.password,
})

/** Runs an example script in the folder of the installed package, and returns its output. */
async function example(name: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [`${name}.ts`, ...args], {
    cwd: folder(),
    env: environment(),
  })
  return stdout
}

/** Returns a `fetch` that counts the requests by address, and may lose the response of the first one to a path. */
function countingFetch(lost = '') {
  const paths: string[] = []
  const keys: (string | null)[] = []
  const send = async (input: Request | string, init?: RequestInit) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    paths.push(`${request.method} ${pathname}`)
    keys.push(request.headers.get('idempotency-key'))
    const response = await fetch(request)
    if (pathname !== lost || paths.filter((path) => path === `${request.method} ${lost}`).length > 1)
      return response
    await response.arrayBuffer()
    throw new TypeError('fetch failed')
  }
  return { send, paths, keys }
}

describe('the example scripts in an empty folder', () => {
  it('book a lesson in at most ten lines', async () => {
    await school.instructor()
    await school.student()
    const script = readFileSync(join(folder(), 'book-a-lesson.ts'), 'utf8')
    expect(script.split('\n').filter((line) => line.trim() !== '')).toHaveLength(10)
    expect(await example('book-a-lesson')).toMatch(/^Booked from \d{4}-\d\d-\d\d \d\d:\d\d to /)
    const { body } = await school.client.get('/appointments')
    expect(body).toHaveLength(1)
  })

  it('move a lesson away from another', async () => {
    await example('book-a-lesson')
    const said = await example('move-a-lesson')
    expect(said).toMatch(/^There is another lesson from .* to .*\.\nMoved from .* to .*\.\n$/)
  })

  it('import students and count them page by page', async () => {
    writeFileSync(join(folder(), 'students.csv'), 'Vorname;Nachname\nOttilie;Quast\nKasimir;Zobel\n;Ohne\n')
    const said = await example('import-students')
    expect(said).toMatch(/^Line 4: [^\n]+\nImported 2 students\.\nThe school has \d+\.\n$/)
  })

  it('list theory classes for a website', async () => {
    expect(await example('lessons-on-a-website')).toBe('<ul>\n\n</ul>\n')
    const types = (await school.client.get('/lesson-types')).body
    const theory = types.find(({ category }: { category: string }) => category === 'theory')
    const instructor = await school.instructor()
    const lesson = {
      lesson_type_id: theory.id,
      instructor_id: instructor.id,
      title: 'Vorfahrt <1>',
      seats: 12,
    }
    const times = { start_at: '2032-05-03 18:00', end_at: '2032-05-03 19:30' }
    expect((await school.client.post('/appointments', { ...lesson, ...times })).status).toBe(201)
    expect(await example('lessons-on-a-website')).toContain(
      '<li>2032-05-03 18:00 Vorfahrt &lt;1>, 12 free</li>',
    )
  })

  it('follow changes, and go on at the cursor after a stop', async () => {
    const follow = async (until_: string, after: () => Promise<unknown>) => {
      const script = spawn(process.execPath, ['follow-changes.ts'], { cwd: folder(), env: environment() })
      let said = ''
      script.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        said += chunk
      })
      if (until_ === 'created') await until(async () => said.includes('Following.'))
      await after()
      await until(async () => said.includes(until_))
      script.kill()
      await once(script, 'close')
      return said
    }
    let id = ''
    const add = async () => {
      id = (await school.student()).id
    }
    expect(await follow('created', add)).toContain(`created student ${id}`)
    await add()
    expect(await follow(id, async () => undefined)).toContain(`created student ${id}`)
  })
})

describe('the client', () => {
  it('logs in once and renews an expired token once for twenty requests', async () => {
    const first = countingFetch()
    const connection = client.connect({ url: service().url, login, fetch: first.send })
    await Promise.all(Array.from({ length: 20 }, () => client.me({ client: connection })))
    expect(first.paths.filter((path) => path.includes('/auth/login'))).toHaveLength(1)

    const { body } = await school.client.post('/auth/login', login)
    const second = countingFetch()
    const stored: string[] = []
    const options = { url: service().url, tokens: { ...body, token: 'expired' }, fetch: second.send }
    const onTokens = ({ refresh_token }: { refresh_token: string }) => stored.push(refresh_token)
    const again = client.connect({ ...options, onTokens })
    const all = await Promise.all(Array.from({ length: 20 }, () => client.me({ client: again })))
    expect(new Set(all.map(({ email }) => email))).toEqual(new Set([login.email]))
    expect(second.paths.filter((path) => path.includes('/auth/refresh'))).toHaveLength(1)
    expect(stored).toHaveLength(1)
  })

  it('does not renew the token because a password is wrong', async () => {
    const { send, paths } = countingFetch()
    const connection = client.connect({ url: service().url, login, fetch: send })
    const body = { current_password: 'wrong', new_password: 'another horse battery' }
    const error = await client.changePassword({ client: connection, body }).catch((one: unknown) => one)
    expect(client.FahrplanError.is(error, 'invalid_credentials')).toBe(true)
    expect(paths).toEqual(['POST /api/v1/auth/login', 'POST /api/v1/auth/password'])
  })

  it('creates one student if the response is lost, with the same key', async () => {
    const { send, paths, keys } = countingFetch('/api/v1/students')
    const connection = client.connect({ url: service().url, login, fetch: send })
    const body = { first_name: 'Einmal', last_name: 'Nur' }
    const student = await client.enrolStudent({ client: connection, body })
    expect(paths.slice(1)).toEqual(['POST /api/v1/students', 'POST /api/v1/students'])
    expect(keys[1]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[2]).toBe(keys[1])
    const { body: students } = await school.client.get('/students')
    const same = students.filter(({ first_name }: { first_name: string }) => first_name === 'Einmal')
    expect(same.map(({ id }: { id: string }) => id)).toEqual([student.id])
  })

  it('does not send a request again that could act twice', async () => {
    const { id } = await school.student()
    const { send, paths } = countingFetch(`/api/v1/students/${id}`)
    const connection = client.connect({ url: service().url, login, fetch: send })
    const change = client.changeStudent({ client: connection, path: { id }, body: { phone: '+49 30 1' } })
    await expect(change).rejects.toThrow('fetch failed')
    expect(paths.slice(1)).toEqual([`PATCH /api/v1/students/${id}`])
  })

  it('throws problems with code, params, faults and the id of the request', async () => {
    const connection = client.connect({ url: service().url, login })
    const body = { first_name: '', last_name: 'Vogt' }
    const error = await client.enrolStudent({ client: connection, body }).catch((one: unknown) => one)
    expect(error).toBeInstanceOf(client.FahrplanError)
    expect(error).toMatchObject({ status: 400, code: 'invalid_request', params: {} })
    expect(error.errors).toEqual([expect.objectContaining({ pointer: '/first_name' })])
    expect(error.requestId).not.toBe('')
  })

  it('pages through a list of any length, and no further than it is read', async () => {
    const { send, paths } = countingFetch()
    const connection = client.connect({ url: service().url, login, fetch: send })
    const everybody = (await school.client.get('/students')).body.map(({ id }: { id: string }) => id)
    expect(everybody.length).toBeGreaterThan(3)
    const found: string[] = []
    for await (const { id } of client.all(client.listStudents, { client: connection, query: { limit: 2 } }))
      found.push(id)
    expect(found).toEqual(everybody)
    paths.length = 0
    for await (const { id } of client.all(client.listStudents, { client: connection, query: { limit: 1 } }))
      if (id === everybody[1]) break
    expect(paths).toHaveLength(2)
  })
})

it('ten lines of Python without a package book a lesson', async () => {
  const text = readFileSync(join(ROOT, 'docs/api.md'), 'utf8')
  const script = /```python\n([\s\S]+?)```/.exec(text)?.[1] ?? ''
  expect(script.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(10)
  const before = (await school.client.get('/appointments')).body.length
  const { stdout } = await run('python3', ['-c', script], { env: environment() })
  expect(stdout).toMatch(/^Booked from \d{4}-\d\d-\d\d \d\d:\d\d to /)
  expect((await school.client.get('/appointments')).body).toHaveLength(before + 1)
})
