import type { TestService } from './app.ts'

type Schema = { readonly properties?: Record<string, unknown>; readonly required?: string[] }
type Operation = {
  readonly operationId: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } }
  }
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}
export type OpenApi = {
  readonly openapi: string
  readonly tags: readonly { readonly name: string }[]
  readonly security?: readonly unknown[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema & { examples?: unknown[] }>> }
}

/** Returns every operation of the service's OpenAPI document, with its path without the API's prefix. */
export function operationsOf(service: TestService) {
  const document = service.app.swagger() as unknown as OpenApi
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const ref = operation.requestBody?.content['application/json'].schema.$ref.split('/').at(-1)
      const body = ref === undefined ? undefined : document.components.schemas[ref]
      const references = [...new Set(namesIn(body ?? {}, document.components))]
      return { method: method.toUpperCase(), path: path.replace('/api/v1', ''), operation, body, references }
    }),
  )
}

/** Returns every path with a GET, with each of the ids if it takes one. */
export function readableIn(service: TestService, ids: Readonly<Record<string, string>>): readonly string[] {
  const paths = operationsOf(service).flatMap(({ method, path }) => (method === 'GET' ? [path] : []))
  return paths.flatMap((path) =>
    path.includes('{id}') ? Object.values(ids).map((id) => path.replace('{id}', id)) : [path],
  )
}

/** Returns the names of all `…_id` fields in a schema and the schemas that it refers to. */
function namesIn(schema: object, components: OpenApi['components']): readonly string[] {
  const text = JSON.stringify(schema)
  const inner = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name)
  const names = [...text.matchAll(/"(\w+_id)":\{/g)].map(([, name = '']) => name)
  return [...names, ...inner.flatMap((name) => namesIn(components.schemas[name] ?? {}, components))]
}
