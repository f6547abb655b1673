import type { FastifyContextConfig, FastifySchema } from 'fastify'

type Access = Pick<
  FastifyContextConfig,
  'permission' | 'open' | 'link' | 'faultsFor' | 'needsNoTurn' | 'bodyOptional'
> & { readonly bodyLimit?: number; readonly compress?: false }

/** Returns the options of a documented route: its permission and schema. An open route needs no credentials. */
export function operation<Schema extends FastifySchema>(tag: string, description: Access & Schema) {
  const { bodyLimit, compress, ...described } = description
  const { permission, open, link, faultsFor, needsNoTurn, bodyOptional, ...schema } = described
  return {
    bodyLimit,
    compress,
    config: { permission, open, link, faultsFor, needsNoTurn, bodyOptional },
    schema: { tags: [tag], ...(open && { security: [] }), ...schema } as Schema & { tags: string[] },
  }
}
