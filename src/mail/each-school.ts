import type { FastifyBaseLogger } from 'fastify'

export type SchoolLog = Pick<FastifyBaseLogger, 'error'>

/** Queues the messages of schools, one after the other. One that fails is logged and delays no other. */
export async function forEachSchool(
  tenantIds: readonly string[],
  log: SchoolLog,
  queue: (tenantId: string) => Promise<void>,
): Promise<void> {
  for (const tenant_id of tenantIds)
    await queue(tenant_id).catch((error: unknown) =>
      log.error(
        { err: error, event: 'messages_stuck', tenant_id },
        'the messages of a school cannot be queued',
      ),
    )
}
