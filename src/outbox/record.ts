import { setTimeout as pause } from 'node:timers/promises'

type Retrying = {
  readonly look: number
  readonly stopping: AbortSignal
  readonly report: (error: unknown) => void
}

/** Records an outcome, again while the database is unreachable. Throws if the process stops meanwhile. */
export async function record(
  write: () => Promise<unknown>,
  { look, stopping, report }: Retrying,
): Promise<void> {
  while (true) {
    try {
      await write()
      return
    } catch (error) {
      if (stopping.aborted) throw error
      report(error)
      await pause(look, undefined, { signal: stopping }).catch(() => undefined)
    }
  }
}
