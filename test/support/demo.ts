import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayOf, type LocalDate, localDateFor, weekStartOf } from '../../src/domain/local-time.ts'
import { freePort, Program } from './process.ts'

export type Demo = {
  readonly url: string
  readonly email: string
  readonly password: string
  /** A day full of lessons that are still planned: the Wednesday of next week, because the demo is made around today. */
  readonly wednesday: LocalDate
  readonly stop: () => Promise<void>
}

/** Starts a new demo school as `npm run demo` does. */
export async function startDemo(): Promise<Demo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fahrplan-demo-'))
  const program = new Program(['demo'], { DATA_DIR: dataDir, PORT: String(await freePort()) })
  const url = await program.url()
  const [, email = '', password = ''] = await program.says(/Login: (\S+) \/ (\S+)/)
  const today = dayOf(new Date().toISOString().slice(0, 10))
  return {
    url,
    email,
    password,
    wednesday: localDateFor(weekStartOf(today) + 9),
    stop: async () => {
      await program.stop()
      rmSync(dataDir, { recursive: true })
    },
  }
}
