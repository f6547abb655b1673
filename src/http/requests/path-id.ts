import { Type } from 'typebox'
import { Id } from '../../contract/fields.ts'

/** The path parameter of one resource. A malformed id is a 404, like an unknown one. */
export function pathId(resource: string, owner: 'school' | 'user' = 'school') {
  const description = `The id of the ${resource}. One that is malformed, unknown or of another ${owner} is 404.`
  return Type.Object({ id: { ...Id, description } })
}
