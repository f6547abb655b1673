import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { countWaitingMails } from '../db/messages/mails.ts'
import type { Database } from '../db/schema/tables.ts'
import type { MailCounts } from '../mail/mail-dispatcher.ts'
import type { App, Service } from './service.ts'

/** Measures responses and the process. Returns the registry of the metrics. */
export function measure(app: App, { turns, shed }: Pick<Service, 'turns' | 'shed'>): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const registers = [registry]
  new Gauge({
    name: 'requests_running',
    help: 'Requests that have a turn',
    registers,
    collect() {
      this.set(turns.running)
    },
  })
  new Gauge({
    name: 'requests_waiting',
    help: 'Requests in line for a turn',
    registers,
    collect() {
      this.set(turns.waiting)
    },
  })
  new Counter({
    name: 'requests_shed_total',
    help: 'Requests refused because no turn came free',
    registers,
    collect() {
      this.reset()
      this.inc(shed.count)
    },
  })
  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
    }
    duration.observe(labels, reply.elapsedTime / 1000)
    done()
  })
  return registry
}

export function measureMail(registry: Registry, db: Database, counts: MailCounts): void {
  const registers = [registry]
  new Gauge({
    name: 'mails_waiting',
    help: 'Mails that are still to be sent, by any process',
    registers,
    async collect() {
      // The process's own metrics are reported even if the database is unavailable.
      await countWaitingMails(db).then(
        (count) => this.set(count),
        () => this.set(Number.NaN),
      )
    },
  })
  const attempts = new Counter({
    name: 'mails_total',
    help: 'Mails that were sent or given up, and attempts that failed',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(counts)) attempts.inc({ outcome }, count)
    },
  })
}

/** Serves `/metrics` in the Prometheus format, at an address for the operator only. */
export async function serveMetrics(
  registry: Registry,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics())
  })
  await new Promise<void>((listening, fail) => {
    server.once('error', fail)
    server.listen(port, host, listening)
  })
  return server
}
