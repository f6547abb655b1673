import SerializerSelector from '@fastify/fast-json-stringify-compiler'

type BuildSerializer = ReturnType<typeof SerializerSelector>

/**
 * Makes what writes the answers of each schema, once for all routes that give it: Fastify would compile the same problems
 * for every route and status, which took most of a start. A route's `$ref`s mean the same wherever they stand.
 */
export function compileSerializersOnce(): BuildSerializer {
  const build = SerializerSelector()
  return (sharedSchemas, options) => {
    const compile = build(sharedSchemas, options)
    const compiled = new Map<string, ReturnType<typeof compile>>()
    return (route) => {
      const key = JSON.stringify(route.schema)
      const serialize = compiled.get(key) ?? compile(route)
      compiled.set(key, serialize)
      return serialize
    }
  }
}
