import { listUnsentMails, retryMails } from '../db/messages/mails.ts'
import type { DataCommand } from './command.ts'

const json = { type: 'boolean', help: 'Print JSON' } as const

/** Lists unsent mails, without their confidential texts. */
export const mailList: DataCommand = {
  kind: 'data',
  name: 'mail list',
  summary: 'List the e-mails that are waiting, and those given up in the last 30 days.',
  options: { json },
  run: async ({ db, values, terminal }) => {
    const mails = await listUnsentMails(db)
    if (values.json) return terminal.out(JSON.stringify(mails))
    for (const { id, created_at, state, attempts, template, to_address, last_error } of mails) {
      const words = [id, created_at.toISOString(), state, `${attempts} attempts`, template, to_address]
      terminal.out([...words, last_error ?? ''].join('  ').trimEnd())
    }
  },
}

export const mailRetry: DataCommand = {
  kind: 'data',
  name: 'mail retry',
  summary: 'Retry all waiting e-mails now, whatever their delay.',
  options: { json },
  run: async ({ db, values, terminal }) => {
    const count = await retryMails(db)
    terminal.out(values.json ? JSON.stringify({ count }) : `E-mails to retry now: ${count}.`)
  },
}
