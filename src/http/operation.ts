import type { FastifyContextConfig, FastifySchema } from 'fastify'
import { responses } from './responses/responses.ts'

type Access = Pick<
  FastifyContextConfig,
  | 'permission'
  | 'reads'
  | 'beforeSecondFactor'
  | 'open'
  | 'link'
  | 'faultsFor'
  | 'needsNoTurn'
  | 'bodyOptional'
> & { readonly bodyLimit?: number; readonly compress?: false }

/** Returns the options of a documented route: its permission and schema. An open route needs no credentials. */
export function operation<Schema extends FastifySchema>(tag: string, description: Access & Schema) {
  const { bodyLimit, compress, ...described } = description
  const {
    permission,
    reads,
    beforeSecondFactor,
    open,
    link,
    faultsFor,
    needsNoTurn,
    bodyOptional,
    ...schema
  } = described
  // Of an API token without the scope, and of a user who has yet to set up the second factor that the school requires.
  const early = permission && responses({}, 403)
  return {
    bodyLimit,
    compress,
    config: { permission, reads, beforeSecondFactor, open, link, faultsFor, needsNoTurn, bodyOptional },
    schema: {
      tags: [tag],
      ...(open && { security: [] }),
      ...schema,
      response: { ...early, ...(schema.response as object) },
    } as unknown as Schema & { tags: string[] },
  }
}
