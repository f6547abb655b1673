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
  // The scope of an API token may forbid any route, and so does a second factor that is required and not set up.
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
