import { Ajv2020 } from 'ajv/dist/2020.js'
import { assertType, beforeAll, describe, expect, it, vi } from 'vitest'
import { formats } from '../../src/contract/formats.ts'
import type { DescribedParams } from '../../src/contract/refusals.ts'
import { BROKEN_RULES, type RefusalParams } from '../../src/domain/refusal.ts'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'
import { type OpenApi, operationsOf } from '../support/openapi.ts'
import { OPEN, OPERATIONS, UNTAGGED } from '../support/operations.ts'

const service = useService()
let document: OpenApi

async function read(): Promise<number> {
  const { status, body } = await new Client(service()).get('//docs/openapi.json')
  document = body
  return status
}

beforeAll(async () => {
  // The first request makes the document, for which a busy machine may take longer than the service waits.
  await vi.waitFor(async () => expect(await read()).toBe(200), { timeout: 60_000, interval: 500 })
})

type DescribedCodes = {
  readonly oneOf?: readonly { readonly title: string }[]
  readonly properties?: { readonly code: { readonly enum?: readonly string[] } }
}

const named = () =>
  operationsOf(service()).map((one) => ({ ...one, name: `${one.method} ${one.path}`, is: one.operation }))

/** Returns the routes that the application has registered, read from its printed tree. */
function registeredRoutes(): readonly string[] {
  const parents: string[] = []
  return service()
    .app.printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', segment = '', methods = ''] =
        /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
      parents.splice(indent.length / 4, Number.POSITIVE_INFINITY, segment)
      const url = parents.join('')
      return methods.split(', ').flatMap((method) => (method && segment ? [`${method} ${url}`] : []))
    })
}

describe('the OpenAPI document', () => {
  it('has version 3.1 and equals the one that the application generates', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document).toEqual(JSON.parse(JSON.stringify(service().app.swagger())))
  })

  it('describes exactly the operations of the contract', () => {
    const names = named().map(({ name }) => name)
    expect(names.toSorted()).toEqual(OPERATIONS.toSorted())
  })

  it('describes exactly the registered routes below /api/v1', () => {
    const routes = registeredRoutes()
    const ofApi = routes.filter((route) => route.includes(' /api/v1') && !route.startsWith('HEAD '))
    const described = named().map(
      ({ method, path }) => `${method} /api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    )
    expect(ofApi.toSorted()).toEqual(described.toSorted())
  })

  it('gives each operation a summary, one documented tag and a unique operationId', () => {
    const tags = document.tags.map(({ name }) => name)
    for (const { name, is } of named()) {
      expect(is.summary?.length, name).toBeGreaterThan(5)
      expect(is.tags?.length, name).toBe(1)
      expect(tags, name).toContain(is.tags?.[0])
    }
    const ids = named().map(({ is }) => is.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/)
  })

  it('describes the params of every broken rule, as the rules state them', () => {
    const { Problem: problem, Refusal: refusal } = document.components.schemas as Record<
      string,
      DescribedCodes
    >
    const kinds = refusal?.oneOf?.map(({ title }) => title) ?? []
    expect(kinds.toSorted()).toEqual(BROKEN_RULES.toSorted())
    const codes = problem?.properties?.code.enum
    expect(codes).toEqual(expect.arrayContaining([...kinds, 'not_found', 'stale']))
    assertType<(stated: RefusalParams) => DescribedParams>((params) => params)
    assertType<(described: DescribedParams) => RefusalParams>((params) => params)
  })

  it('lists the possible status codes of every operation', () => {
    const refusals = (name: string, body: boolean) => [
      ...[400, 500, 503],
      ...(OPEN.includes(name) ? [] : [401]),
      ...(/\{(id|token)\}/.test(name) ? [404] : []),
      ...(/POST \/(students|appointments)$|appointments\/check$|series$|batch$|slots$/.test(name)
        ? [404]
        : []),
      ...(/(POST|PATCH) \/appointments(?!.*(check|cancel|student_id\})$)/.test(name) ? [409] : []),
      ...(/^(PATCH|DELETE) (?!\/auth|.*(feed|link|erasure|hold|\{(kind|week_start|calendar_id)\})$)/.test(
        name,
      )
        ? [412]
        : []),
      ...(body ? [413, 415] : []),
      ...(/auth\/(login|password|proof|invitations|email-change)(?!.*options$)/.test(name) ? [429] : []),
      ...(/auth\/(login|refresh)(?!.*options$)/.test(name) ? [401] : []),
    ]
    const successes: Readonly<Record<string, string[]>> = {
      'POST /students': ['201'],
      'POST /instructors': ['201'],
      'POST /students/{id}/enrolments': ['201'],
      'DELETE /enrolments/{id}': ['204'],
      'DELETE /enrolments/{id}/ticks/{kind}': ['204'],
      'POST /appointments/{id}/signatures': ['201'],
      'POST /enrolments/{id}/signatures': ['201'],
      'POST /students/{id}/wishes': ['201'],
      'DELETE /students/{id}/wishes/{wish_id}': ['204'],
      'DELETE /students/{id}/availability/{week_start}': ['204'],
      'POST /instructors/{id}/busy-calendars': ['201'],
      'DELETE /instructors/{id}/busy-calendars/{calendar_id}': ['204'],
      'POST /plans': ['201'],
      'DELETE /plans/{id}': ['204'],
      'POST /offers': ['201'],
      'DELETE /offers/{id}': ['204'],
      'POST /locations': ['201'],
      'POST /webhooks': ['201'],
      'DELETE /webhooks/{id}': ['204'],
      'DELETE /locations/{id}': ['204'],
      'POST /vehicles': ['201'],
      'DELETE /vehicles/{id}': ['204'],
      'POST /appointments': ['201'],
      'POST /schedule-requests': ['201'],
      'POST /enquiries/{id}/enrol': ['201'],
      'POST /closures': ['201'],
      'DELETE /closures/{id}': ['204'],
      'DELETE /users/{id}': ['204'],
      'DELETE /students/{id}': ['204'],
      'DELETE /appointments/{id}': ['204'],
      'DELETE /appointments/{id}/attendees/{student_id}': ['204'],
      'DELETE /instructors/{id}/calendar-feed': ['204'],
      'DELETE /students/{id}/link': ['204'],
      'DELETE /students/{id}/erasure': ['204'],
      'DELETE /students/{id}/hold': ['204'],
      'POST /auth/logout': ['204'],
      'POST /auth/password': ['204'],
      'POST /users': ['201'],
      'DELETE /auth/email-changes/{token}': ['204'],
      'POST /auth/password-resets': ['202'],
      'POST /auth/password-resets/{token}': ['204'],
      'POST /auth/tokens': ['201'],
      'DELETE /auth/tokens/{id}': ['204'],
      'DELETE /auth/sessions': ['204'],
      'DELETE /auth/sessions/{id}': ['204'],
      'POST /auth/passkeys': ['201'],
      'DELETE /auth/passkeys/{id}': ['204'],
      'DELETE /auth/totp': ['204'],
      'DELETE /auth/identity': ['204'],
      'DELETE /auth/identity-provider': ['204'],
      'POST /auth/proof': ['204'],
    }
    for (const { name, is } of named()) {
      const statuses = Object.keys(is.responses)
      const wanted = refusals(name, is.requestBody !== undefined).map(String)
      expect(statuses, name).toEqual(expect.arrayContaining(wanted))
      const good = statuses.filter((status) => status < '300')
      expect(good, name).toEqual(successes[name] ?? ['200'])
      expect(statuses.includes('304'), name).toBe(name.startsWith('GET ') && !UNTAGGED.includes(name))
    }
  })

  it('allows no undocumented properties in responses, except problems and passkey options (S63)', () => {
    const open: string[] = []
    const look = (name: string, schema: unknown) => {
      if (schema === null || typeof schema !== 'object') return
      const { properties, additionalProperties } = schema as Record<string, unknown>
      if (properties && additionalProperties !== false) open.push(name)
      for (const [key, part] of Object.entries(schema)) if (key !== 'examples') look(`${name}/${key}`, part)
    }
    look('schemas', document.components.schemas)
    for (const { name, is } of named()) look(name, is.responses)
    // Options for passkeys are defined by WebAuthn, and problems may get more members.
    expect(open).toEqual(['schemas/Fault', 'schemas/Problem', 'schemas/CeremonyOptions'])
  })

  it('marks which operations require a token (S27)', () => {
    for (const { name, is } of named()) {
      const security = is.security ?? document.security ?? []
      const schemes = security.flatMap((one) => Object.keys(one as object))
      if (OPEN.includes(name)) expect(schemes, name).toEqual([])
      else expect(schemes.toSorted(), name).toEqual(['bearer', 'cookie'])
    }
  })

  it('requires every request body, except for refresh, logout and invitation', () => {
    const optional = ['POST /auth/refresh', 'POST /auth/logout', 'POST /users/{id}/invitation']
    for (const { name, is } of named()) {
      if (is.requestBody) expect([name, is.requestBody.required]).toEqual([name, !optional.includes(name)])
    }
  })

  it('has a valid example for every request body', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    for (const [name, { is }] of Object.entries(formats)) ajv.addFormat(name, is)
    for (const { name, body } of named()) {
      if (!body) continue
      const { examples = [] } = body as { examples?: unknown[] }
      expect(examples.length, `${name} has no example`).toBeGreaterThan(0)
      const validate = ajv.compile({ ...body, components: document.components })
      for (const example of examples) expect(validate(example), ajv.errorsText(validate.errors)).toBe(true)
    }
  })

  it('has examples of students, instructors and appointments that the service accepts', async () => {
    const school = await aSchool(service())
    const real = {
      instructor_id: (await school.instructor()).id,
      student_id: (await school.student()).id,
      lesson_type_id: school.lessonTypes.PRACTICE,
    }
    for (const resource of ['students', 'instructors', 'appointments']) {
      const schemas = named().filter(({ path }) => [`/${resource}`, `/${resource}/{id}`].includes(path))
      const example = (method: string) =>
        schemas.find((one) => one.method === method && one.body)?.body as { examples: object[] }
      const [created] = example('POST').examples
      const answer = await school.client.post(`/${resource}`, {
        ...created,
        ...(resource === 'appointments' ? real : {}),
      })
      expect(answer.status, answer.text).toBe(201)
      const [changed] = example('PATCH').examples
      expect((await school.client.patch(`/${resource}/${answer.body.id}`, changed)).status).toBe(200)
    }
  })
})

/** The codes in the contract's table, and those of other rejected requests. */
const CODES =
  `invalid_request malformed_json unauthenticated invalid_credentials invalid_refresh_token not_found
  method_not_allowed instructor_busy student_busy instructor_inactive instructor_on_vacation outside_availability
  daily_limit_exceeded weekly_limit_exceeded break_too_short continuous_minutes_exceeded too_many_appointments stale body_too_large
  email_taken last_owner invitation_accepted user_inactive no_mail unsupported_media_type too_many_requests too_many_mails unavailable internal_error`.split(
    /\s+/,
  )

describe('the pages below /docs', () => {
  it('load nothing from another host', async () => {
    const visitor = new Client(service())
    for (const path of ['//docs', '//docs/']) {
      const { status, headers, text } = await visitor.get(path)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'self';/)
      const links = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link)
      expect(links.length).toBeGreaterThan(3)
      for (const link of links) {
        const url = new URL(link, `${service().url}/docs/`)
        expect(url.origin, link).toBe(service().url)
        expect((await visitor.get(`/${url.pathname}`)).status, link).toBe(200)
      }
      expect(text).not.toMatch(/https?:\/\//)
    }
    const script = (await visitor.get('//docs/static/swagger-initializer.js')).text
    expect(script).toContain('/docs/openapi.json')
    expect(script).not.toMatch(/["']https?:\/\//)
  })

  it('explain every error code under its own anchor', async () => {
    const { status, headers, text } = await new Client(service()).get('//docs/problems')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const ids = [...text.matchAll(/ id="(\w+)"/g)].map(([, id]) => id)
    expect(ids).toEqual(expect.arrayContaining(CODES))
    expect(new Set(ids).size).toBe(ids.length)
  })
})
