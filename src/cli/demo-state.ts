import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabasePool } from '../db/connection/pool.ts'
import { appendWeeks, createDemoSchool } from '../demo/school.ts'
import type { Day } from '../domain/local-time.ts'
import { CommandFailure } from './command.ts'

/** The state of a demo between starts. A missing `tenant_id` means that its creation was interrupted. */
export type DemoState = {
  readonly jwt_secret: string
  readonly password: string
  readonly tenant_id?: string
  readonly last_week?: Day
}

export function readState(dataDir: string): DemoState | undefined {
  const file = join(dataDir, 'demo.json')
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new CommandFailure(`${file} is damaged. Remove ${dataDir} to create the demo afresh.`)
  }
}

export function writeState(dataDir: string, state: DemoState): void {
  const file = join(dataDir, 'demo.json')
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** Creates the demo school if there is none, and adds the weeks around today. */
export async function fillDemo(db: DatabasePool, dataDir: string, state: DemoState): Promise<void> {
  const now = new Date()
  const tenant_id = state.tenant_id ?? (await createDemoSchool(db, state.password, now))
  const last_week = await appendWeeks(db, tenant_id, { now, lastWeek: state.last_week })
  writeState(dataDir, { ...state, tenant_id, last_week })
}
