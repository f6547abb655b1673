import type { ErrorObject, ValidateFunction } from 'ajv'
import type { FastifyRequest } from 'fastify'
import { formats, isUuid } from '../../contract/formats.ts'
import { type Fault, invalidRequest, MAX_FAULTS, notFound } from '../../contract/problem.ts'
import { strictAjv } from '../../contract/strict-ajv.ts'
import { onFirstUse } from '../on-first-use.ts'
import type { App } from '../service.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Returns faults that no schema can express; `timezone` is the acting tenant's. */
    faultsFor?: (body: never, timezone: string) => readonly Fault[]
    bodyOptional?: boolean
    /** The validators, compiled on first use: compiling those of all routes took a tenth of the start. */
    validators?: {
      readonly headers: () => ValidateFunction
      readonly querystring: () => ValidateFunction
      readonly body: () => ValidateFunction
    }
    /** The query parameters that may be repeated, read as lists. */
    listParameters?: readonly string[]
  }
}

/** The longest name of a field or parameter in a response, in characters. */
const LONGEST_NAME = 50

const NOTHING = { type: 'object', properties: {}, additionalProperties: false }

/**
 * Validates headers, query and body of every route and reports all faults at once. Trims text, but coerces, drops and
 * defaults nothing. A malformed id in the path is a 404.
 */
export function validateRequests(app: App): void {
  const ajv = strictAjv()
  app.setValidatorCompiler(() => () => true)
  app.addHook('onRoute', (route) => {
    const validators = {
      headers: onFirstUse(() => ajv.compile(route.schema?.headers ?? {})),
      querystring: onFirstUse(() => ajv.compile(route.schema?.querystring ?? NOTHING)),
      body: onFirstUse(() => ajv.compile(route.schema?.body ?? NOTHING)),
    }
    const bodyOptional = route.schema?.body === undefined || route.config?.bodyOptional
    const listParameters = listParametersOf(route.schema?.querystring)
    route.config = { ...route.config, bodyOptional, validators, listParameters }
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const faults = [...headerFaults(request), ...queryFaults(request), ...bodyFaults(request)]
    const ids = idsIn(request.params as Readonly<Record<string, string>>)
    if (faults.length > 0) return done(invalidRequest(faults))
    if (!ids.every(([, id]) => isUuid(id))) return done(notFound())
    if (ids.length > 0)
      Object.assign(
        request.params as object,
        Object.fromEntries(ids.map(([name, id]) => [name, id.toLowerCase()])),
      )
    done()
  })
}

/** Returns the ids in the path: the resource's, and those of resources above or below it. */
function idsIn(params: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(params).filter(([name]) => name === 'id' || name.endsWith('_id'))
}

function headerFaults({ routeOptions, headers }: FastifyRequest): readonly Fault[] {
  const validate = routeOptions.config.validators?.headers()
  if (!validate || validate(headers)) return []
  return reportedErrors(validate).map((error) => ({
    pointer: pointerOf(error).slice(1),
    code: codeOf(error),
    detail: detailOf(error),
  }))
}

function listParametersOf(querystring: unknown): readonly string[] {
  const { properties = {} } = (querystring ?? {}) as { properties?: Record<string, { type?: unknown }> }
  return Object.keys(properties).filter((name) => properties[name]?.type === 'array')
}

/** Turns a repeatable parameter that is given once into a list. */
function readListParameters({ query, routeOptions }: FastifyRequest): void {
  const values = query as Record<string, unknown>
  for (const name of routeOptions.config.listParameters ?? [])
    if (typeof values[name] === 'string') values[name] = [values[name]]
}

function queryFaults(request: FastifyRequest): readonly Fault[] {
  const { validators, listParameters = [] } = request.routeOptions.config
  const validate = validators?.querystring()
  readListParameters(request)
  if (!validate || validate(request.query)) return []
  return reportedErrors(validate).map((error) => {
    const name = pointerOf(error).split('/')[1] ?? ''
    const pointer = `?${name}`
    const isUnknown = error.keyword === 'additionalProperties'
    const isRepeated =
      Array.isArray((request.query as Record<string, unknown>)[name]) && !listParameters.includes(name)
    return {
      pointer,
      code: isUnknown ? 'unknown_parameter' : isRepeated ? 'repeated' : codeOf(error),
      detail: isUnknown
        ? `${pointer} is not a parameter of this address.`
        : isRepeated
          ? `${pointer} may be given once.`
          : detailOf(error),
    }
  })
}

function bodyFaults(request: FastifyRequest): readonly Fault[] {
  const { validators, bodyOptional, faultsFor } = request.routeOptions.config
  if (!validators) return []
  if (request.body === undefined) {
    if (!bodyOptional)
      return [{ pointer: '', code: 'required', detail: 'A JSON object is required as body.' }]
    request.body = {}
  }
  const validate = validators.body()
  const faults = validate(request.body) ? [] : faultsOf(validate)
  if (!faultsFor || faults.length > MAX_FAULTS) return faults
  const sound = soundPartOf(request.body, faults)
  return [...faults, ...faultsFor(sound as never, request.session?.tenant.timezone ?? 'UTC')]
}

/** Returns the faults of a `strictAjv` validator for a response. */
export function faultsOf(validate: ValidateFunction): readonly Fault[] {
  return reportedErrors(validate).map((error) => ({
    pointer: pointerOf(error),
    code: codeOf(error),
    detail: detailOf(error),
  }))
}

function reportedErrors({ errors }: ValidateFunction): readonly ErrorObject[] {
  return (errors ?? []).filter(({ keyword }) => keyword !== 'if').slice(0, MAX_FAULTS + 1)
}

/** Returns the fields without a fault, for the rules between fields. */
function soundPartOf(body: unknown, faults: readonly Fault[]): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  const faulty = new Set(faults.map(({ pointer }) => pointer.split('/')[1]))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !faulty.has(name)))
}

function pointerOf({ instancePath, keyword, params }: ErrorObject): string {
  const name = keyword === 'required' ? params.missingProperty : params.additionalProperty
  return name === undefined
    ? instancePath
    : `${instancePath}/${shortened(String(name)).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Shortens a name for a response: that of an unknown field can be as long as the body. */
function shortened(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name
}

const CODES: Readonly<Record<string, string>> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  type: 'wrong_type',
  enum: 'not_allowed',
  minLength: 'too_short',
  maxLength: 'too_long',
  'x-bytes': 'wrong_length',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  maxItems: 'too_many',
  uniqueItems: 'repeated',
  'x-text': 'invalid_text',
}

function codeOf({ keyword }: ErrorObject): string {
  return CODES[keyword] ?? 'invalid_format'
}

function detailOf(error: ErrorObject): string {
  const name = pointerOf(error).split('/').at(-1) || 'The body'
  if (error.keyword === 'required') return `${name} is required.`
  if (error.keyword === 'additionalProperties') return `${name} is unknown or cannot be written.`
  if (error.keyword === 'format') return `${name} must be ${formats[error.params.format]?.description}.`
  if (error.keyword === 'x-text') return `${name} must not contain NUL or lone surrogates.`
  if (error.keyword === 'enum')
    return `${name} must be one of ${error.params.allowedValues.map(String).join(', ')}.`
  return `${name} ${error.message}.`
}
