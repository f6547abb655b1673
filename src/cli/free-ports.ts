import { createServer } from 'node:net'
import type { ServiceConfig } from '../config.ts'
import { CommandFailure } from './command.ts'

/** Throws a `CommandFailure` if a port is taken, before anything is created. */
export async function requireFreePorts({
  host,
  port,
  metricsHost,
  metricsPort = 0,
}: ServiceConfig): Promise<void> {
  await requireFree('PORT', host, port)
  await requireFree('METRICS_PORT', metricsHost, metricsPort)
}

function requireFree(name: string, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) =>
      reject(
        new CommandFailure(
          `The service cannot listen on ${host}, port ${port}: ${error.message}. Stop the process that does, or set ${name}.`,
        ),
      ),
    )
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}
