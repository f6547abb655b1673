import type { FastifySchema } from 'fastify'
import type { ServiceConfig } from '../../config.ts'
import { PROBLEMS } from '../../contract/problem-messages.ts'
import { refusalKinds } from '../../contract/refusals.ts'
import { schemas } from '../../contract/schemas.ts'
import { RESPONSE_HEADERS, type ResponseHeader } from '../responses/response-headers.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** The body of a success, for the OpenAPI document. */
    returns?: string
    /** The headers of a success that the route does not imply. */
    sends?: readonly ResponseHeader[]
  }
}

type RouteFacts = Pick<FastifySchema, 'returns' | 'sends'> & { readonly bodyOptional: boolean }

type Response = { description?: string; headers?: Record<string, unknown> }
type Parameter = {
  readonly name: string
  readonly in: string
  required?: boolean
  schema: Readonly<Record<string, unknown>>
  description?: string
}
type Operation = {
  readonly operationId?: string
  readonly requestBody?: { required?: boolean }
  parameters?: Parameter[]
  readonly responses: Record<string, Response>
}
type ApiDocument = {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components?: Record<string, unknown> & { readonly schemas?: Record<string, unknown> }
}

/** The documentation of all routes by `operationId`, collected while they are registered. */
export class ApiDocumentFacts {
  readonly #routes = new Map<string, RouteFacts>()

  add(schema: FastifySchema | undefined, bodyOptional = false): void {
    if (!schema?.operationId) return
    const { operationId, returns, sends } = schema
    this.#routes.set(operationId, { returns, sends, bodyOptional })
  }

  /** Completes the generated document in place: success texts, headers, the real types of query parameters, and a demo's login as the example of one. */
  complete<T extends object>(document: T, demoLogin?: ServiceConfig['demoLogin']): T {
    const api = document as T & ApiDocument
    api.components = { ...api.components, headers: RESPONSE_HEADERS }
    const { schemas: shown = {} } = api.components
    for (const schema of schemas as readonly { readonly $id?: string }[])
      if (schema.$id) describeReferences(shown[schema.$id], schema)
    describeCodes(shown)
    if (demoLogin?.password && isObject(shown.Credentials)) shown.Credentials.examples = [demoLogin]
    for (const operation of Object.values(api.paths ?? {}).flatMap((methods) => Object.values(methods)))
      describe(operation, this.#routes.get(operation.operationId ?? ''))
    return document
  }
}

function describe(operation: Operation, facts: RouteFacts | undefined): void {
  const { requestBody, responses } = operation
  if (requestBody && facts?.bodyOptional) requestBody.required = false
  const isConditional = '304' in responses
  if (isConditional) operation.parameters = [...(operation.parameters ?? []), IF_NONE_MATCH]
  for (const parameter of operation.parameters ?? []) publish(parameter)
  for (const [status, response] of Object.entries(responses)) {
    if (status.startsWith('2') && facts?.returns) response.description = facts.returns
    const names = headersOf(operation, status, facts?.sends ?? [])
    if (names.length === 0) continue
    response.headers = Object.fromEntries(
      names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    )
  }
}

/** Replaces the pattern that validates a query parameter with the type that clients send. */
function publish(parameter: Parameter): void {
  const { 'x-published': published } = parameter.schema
  if (published) parameter.schema = published as Parameter['schema']
}

/** Lists the codes of problems, and the params of each broken rule. */
function describeCodes(shown: Record<string, unknown>): void {
  const { Problem: problem, Refusal: refusal } = shown
  if (!isObject(problem) || !isObject(refusal)) return
  const { code } = problem.properties as Record<string, Record<string, unknown>>
  if (code) code.enum = Object.keys(PROBLEMS)
  const { description, examples } = refusal
  shown.Refusal = { description, examples, oneOf: refusalKinds() }
}

/** Copies the descriptions next to a `$ref`, which the generator omits because OpenAPI 3.0 did not allow them. */
function describeReferences(shown: unknown, source: object): void {
  for (const [key, part] of Object.entries(source)) {
    const target = isObject(shown) ? shown[key] : undefined
    if (!isObject(part) || !isObject(target)) continue
    if ('$ref' in part && typeof part.description === 'string') target.description = part.description
    else describeReferences(target, part)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function headersOf(
  { parameters = [], responses }: Operation,
  status: string,
  sends: readonly ResponseHeader[],
): readonly ResponseHeader[] {
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name)
  if (status === '304') return ['ETag']
  if (status === '429' || status === '503') return ['Retry-After']
  if (status === '409') return takes('idempotency-key') ? ['Retry-After'] : []
  if (!status.startsWith('2')) return []
  return [
    ...('304' in responses ? (['ETag'] as const) : []),
    ...sends,
    ...(takes('limit') ? (['Link'] as const) : []),
    ...(takes('idempotency-key') ? (['Idempotency-Replayed'] as const) : []),
  ]
}

const IF_NONE_MATCH: Parameter = {
  name: 'if-none-match',
  in: 'header',
  required: false,
  description: 'The `ETag` of your copy: if nothing has changed, the response is a 304 without a body.',
  schema: { type: 'string' },
}
