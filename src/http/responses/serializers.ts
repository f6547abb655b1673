import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import { onFirstUse } from '../on-first-use.ts'

type BuildSerializer = ReturnType<typeof SerializerSelector>

/**
 * Compiles the serializer of each schema on first use, and once for all routes. Fastify would compile the same problems for
 * every route and status, which took most of a start, and once each still a fifth. `$ref`s mean the same in all routes.
 */
export function compileSerializersOnce(): BuildSerializer {
  const build = SerializerSelector()
  return (sharedSchemas, options) => {
    const compile = build(sharedSchemas, options)
    const compiled = new Map<string, () => ReturnType<typeof compile>>()
    return (route) => {
      const key = JSON.stringify(route.schema)
      const serializer = compiled.get(key) ?? onFirstUse(() => compile(route))
      compiled.set(key, serializer)
      return (answer) => serializer()(answer)
    }
  }
}
