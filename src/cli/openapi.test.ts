import { createConfig, lintFromString } from '@redocly/openapi-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeApi } from './openapi.ts'

type Described = { readonly description?: string; readonly $ref?: string }
type Header = Described
type Response = Described & { readonly headers?: Readonly<Record<string, Header>>; readonly content?: object }
type Parameter = Described & {
  readonly name: string
  readonly schema: { readonly type?: string; readonly minimum?: number; readonly maximum?: number }
}
type Operation = Described & {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly responses: Readonly<Record<string, Response>>
}
type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Described>>
    readonly headers?: Readonly<Record<string, Header>>
  }
}

let api: ApiDocument
let operations: readonly Operation[]

beforeAll(async () => {
  api = JSON.parse(JSON.stringify(await describeApi()))
  operations = Object.values(api.paths).flatMap((methods) => Object.values(methods))
})

const isUndescribed = ({ description = '' }: Described) => description.trim().length < 3

/** Returns the names of the properties without a description, at any depth. */
function undescribedProperties(name: string, schema: unknown): readonly string[] {
  if (schema === null || typeof schema !== 'object') return []
  return Object.entries(schema).flatMap(([key, part]) => {
    if (key === 'examples' || key === 'example') return []
    if (key !== 'properties') return undescribedProperties(name, part)
    return Object.entries<Described>(part).flatMap(([property, inner]) => [
      ...(isUndescribed(inner) ? [`${name}.${property}`] : []),
      ...undescribedProperties(`${name}.${property}`, inner),
    ])
  })
}

describe('the OpenAPI document describes', () => {
  it('each operation, in words other than its summary', () => {
    const mute = operations.filter((one) => isUndescribed(one) || one.description === one.summary)
    expect(mute.map(({ operationId }) => operationId)).toEqual([])
  })

  it('each parameter', () => {
    const mute = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.filter(isUndescribed).map(({ name }) => `${operationId} ${name}`),
    )
    expect(mute).toEqual([])
  })

  it('each response and each response header', () => {
    const { headers: shared = {} } = api.components
    const mute = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, response]) => [
        ...(isUndescribed(response) || /^(Default Response|As asked|Nothing)/.test(response.description ?? '')
          ? [`${operationId} ${status}`]
          : []),
        ...Object.entries(response.headers ?? {})
          .filter(([, { $ref, ...header }]) =>
            isUndescribed($ref ? (shared[$ref.split('/').at(-1) ?? ''] ?? {}) : header),
          )
          .map(([header]) => `${operationId} ${status} ${header}`),
      ]),
    )
    expect(mute).toEqual([])
    const named = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
    )
    expect([...new Set(named)].sort()).toEqual([
      'ETag',
      'Idempotency-Replayed',
      'Link',
      'Location',
      'Retry-After',
    ])
  })

  it('each schema and each of its properties', () => {
    const { schemas } = api.components
    expect(Object.keys(schemas).filter((name) => isUndescribed(schemas[name] ?? {}))).toEqual([])
    expect(Object.entries(schemas).flatMap(([name, schema]) => undescribedProperties(name, schema))).toEqual(
      [],
    )
    const inline = operations.flatMap(({ operationId, responses }) =>
      undescribedProperties(operationId, responses),
    )
    expect(inline).toEqual([])
  })

  it('a 415 response for each operation that is not a GET', () => {
    const methods = Object.values(api.paths).flatMap((path) => Object.entries(path))
    const writes = methods.filter(([method]) => method !== 'get')
    expect(writes.length).toBeGreaterThan(30)
    expect(writes.filter(([, { responses }]) => !responses['415']).map(([, one]) => one.operationId)).toEqual(
      [],
    )
  })

  it('nothing in a fragment that begins with "What", "Who" or "Of"', () => {
    const half = [
      ...JSON.stringify(api).matchAll(
        /"(?:summary|description)":"((?:What|Who|Whose|Of|So|All that) [^"]*)/g,
      ),
    ]
    expect(half.map(([, text]) => text)).toEqual([])
  })

  it('numeric and boolean query parameters with their types and ranges', () => {
    const named = (name: string) =>
      operations.flatMap(({ parameters = [] }) => parameters.filter((one) => one.name === name))
    const ranges = named('limit').map(({ schema }) => schema)
    expect(ranges.length).toBeGreaterThan(5)
    for (const schema of ranges) {
      expect(schema).toEqual({ type: 'integer', minimum: 1, maximum: expect.any(Number) })
      expect([200, 1000]).toContain(schema.maximum)
    }
    for (const { schema } of named('minutes'))
      expect(schema).toEqual({ type: 'integer', minimum: 1, maximum: 1440 })
    for (const { schema } of named('step'))
      expect(schema).toMatchObject({ type: 'integer', minimum: 5, maximum: 60 })
    for (const { schema } of named('overrides')) expect(schema).toMatchObject({ type: 'boolean' })
  })
})

it('the OpenAPI document passes the strict recommended rules of Redocly', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'operation-description': 'error',
      'parameter-description': 'error',
      'no-invalid-schema-examples': 'error',
      // Treats `if` and `else` as separate schemas, which lack the properties.
      'no-required-schema-properties-undefined': 'off',
    },
  })
  const faults = await lintFromString({ source: JSON.stringify(api), absoluteRef: '/openapi.json', config })
  expect(faults.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})
