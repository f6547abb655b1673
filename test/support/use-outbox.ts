import { type BaseLogger, pino } from 'pino'
import { afterEach, beforeEach } from 'vitest'
import { Addresses } from '../../src/webhooks/addresses.ts'
import type { TestService } from './app.ts'
import { JWT_SECRET } from './environment.ts'
import { type Receiver, startReceiver, trustReceivers } from './receiver.ts'

/** The network of the tests' receivers. */
export const HERE = ['127.0.0.0/8']

/** The settings of a worker that a test may change. */
export type Hiring<Intervals> = {
  readonly intervals?: Partial<Intervals>
  readonly addresses?: Addresses
  readonly jwtSecret?: string
  readonly log?: BaseLogger
}

type Stoppable = { readonly stop: () => Promise<void> }

/**
 * Returns functions that start workers of an outbox and receivers. Each test begins without rows in the outbox's table, and both
 * stop at its end.
 */
export function useOutbox<Intervals, Worker extends Stoppable, More extends Hiring<Intervals>>(
  service: () => TestService,
  {
    table,
    haste,
    open,
  }: {
    readonly table: 'busy_calendars' | 'webhooks'
    readonly haste: Intervals
    readonly open: (
      settings: Required<Hiring<Intervals>> & { readonly intervals: Intervals },
      more: More,
    ) => Worker
  },
) {
  const hired: Worker[] = []
  const receivers: Receiver[] = []
  trustReceivers()
  const forget = async () => {
    await service().db.deleteFrom(table).execute()
  }
  beforeEach(forget)
  afterEach(async () => {
    await Promise.all(hired.splice(0).map((worker) => worker.stop()))
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
    await forget()
  })
  return {
    hire: (more: More = {} as More): Worker => {
      const settings = {
        addresses: more.addresses ?? new Addresses(HERE),
        jwtSecret: more.jwtSecret ?? JWT_SECRET,
        log: more.log ?? pino({ level: 'silent' }),
        intervals: { ...haste, ...more.intervals },
      }
      const worker = open(settings, more)
      hired.push(worker)
      return worker
    },
    receive: async (...judge: Parameters<typeof startReceiver>): Promise<Receiver> => {
      const receiver = await startReceiver(...judge)
      receivers.push(receiver)
      return receiver
    },
  }
}
