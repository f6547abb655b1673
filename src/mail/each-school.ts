import type { FastifyBaseLogger } from 'fastify'

export type SchoolLog = Pick<FastifyBaseLogger, 'error'>

/** Queues the messages of schools, one school after another. Logs a failure and continues with the next school. */
export async function forEachSchool(
  tenantIds: readonly string[],
  log: SchoolLog,
  queue: (tenantId: string) => Promise<void>,
): Promise<void> {
  for (const tenantId of tenantIds) await succeeds(tenantId, log, () => queue(tenantId))
}

export async function succeeds(
  tenant_id: string,
  log: SchoolLog,
  queue: () => Promise<void>,
): Promise<boolean> {
  try {
    await queue()
    return true
  } catch (error) {
    log.error({ err: error, event: 'messages_stuck', tenant_id }, 'the messages of a school cannot be queued')
    return false
  }
}
