import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import { onFirstUse } from '../on-first-use.ts'

type BuildSerializer = ReturnType<typeof SerializerSelector>

/**
 * Makes what writes the answers of each schema when the first of them is due, and once for all routes that give it. Fastify
 * would compile the same problems for every route and status: that took most of a start, and once each still a fifth.
 * A route's `$ref`s mean the same wherever they stand.
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
