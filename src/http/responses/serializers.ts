import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import { onFirstUse } from '../on-first-use.ts'

type BuildSerializer = ReturnType<typeof SerializerSelector>

/**
 * Returns a compiler that compiles each schema on first use and once for all routes, where a `$ref` always means the same.
 * Fastify compiles the problems for every route and status, which took most of the start; compiling each once still took a fifth.
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
