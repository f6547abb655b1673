import { Type } from 'typebox'
import { Id } from '../../contract/fields.ts'

/** The path parameter of routes to one resource. No malformed id reaches a route: it is 404, like an unknown one. */
export function pathId(resource: string) {
  const description = `The id of the ${resource}. One that is malformed, unknown or of another school is 404.`
  return Type.Object({ id: { ...Id, description } })
}
