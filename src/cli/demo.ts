import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readServiceConfig } from '../config.ts'
import { takeDataDir } from '../db/data-dir.ts'
import type { DatabasePool } from '../db/pool.ts'
import { appendWeeks, createDemoSchool, DEMO_EMAIL } from '../demo/school.ts'
import type { Day } from '../domain/local-time.ts'
import { buildWebIfNeeded } from './build-web.ts'
import { CommandFailure, type Environment, type ProcessCommand } from './command.ts'
import { start } from './serve.ts'

/** What a demo keeps between its starts. Without `tenant_id` its making was cut short. */
type DemoState = {
  readonly jwt_secret: string
  readonly password: string
  readonly tenant_id?: string
  readonly last_week?: Day
}

/** A believable school to try Fahrplan with, on an embedded database of its own. */
export const demo: ProcessCommand = {
  kind: 'process',
  name: 'demo',
  summary: 'Serve a demo school: 6 instructors, 60 students, five weeks of lessons around today.',
  options: { reset: { type: 'boolean', help: 'Create the demo school afresh' } },
  run: async ({ env, values, terminal }) => {
    const dataDir = env.DATA_DIR || 'data/demo'
    const state = prepare(dataDir, values.reset === true)
    const config = readServiceConfig(environmentOf(env, state))
    buildWebIfNeeded(terminal.err)
    if (!state.tenant_id) terminal.err('Making the demo school; this takes a few seconds …')
    const { url } = await start({
      config,
      database: { kind: 'embedded', dataDir },
      command: 'demo',
      prepare: (db) => fill(db, dataDir, state),
    })
    terminal.out(`Ready: ${url}`)
    terminal.out(`Login: ${DEMO_EMAIL} / ${state.password}`)
  },
}

/** The demo is quiet unless asked, and lives in its own directory whatever database the environment names. */
function environmentOf(env: Environment, { jwt_secret }: DemoState): Environment {
  return { LOG_LEVEL: 'warn', ...env, JWT_SECRET: jwt_secret, DATABASE_URL: undefined }
}

/** Removes the demo that is to be created afresh: nothing but a demo, and only while no other process uses it. */
function prepare(dataDir: string, reset: boolean): DemoState {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const home = join(dataDir, 'database')
  const state = readState(dataDir)
  if (!state && existsSync(home)) {
    throw new CommandFailure(`${dataDir} holds a database that is not a demo. Choose another DATA_DIR.`)
  }
  if (state?.tenant_id && !reset) return state
  const held = takeDataDir(dataDir, 'demo')
  rmSync(home, { recursive: true, force: true })
  held.release()
  const fresh = {
    jwt_secret: randomBytes(48).toString('base64url'),
    password: randomBytes(9).toString('base64url'),
  }
  writeState(dataDir, fresh)
  return fresh
}

async function fill(db: DatabasePool, dataDir: string, state: DemoState): Promise<void> {
  const now = new Date()
  const tenant_id = state.tenant_id ?? (await createDemoSchool(db, state.password, now))
  const last_week = await appendWeeks(db, tenant_id, { now, lastWeek: state.last_week })
  writeState(dataDir, { ...state, tenant_id, last_week })
}

function readState(dataDir: string): DemoState | undefined {
  const file = join(dataDir, 'demo.json')
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new CommandFailure(`${file} is damaged. Remove ${dataDir} to create the demo afresh.`)
  }
}

function writeState(dataDir: string, state: DemoState): void {
  const file = join(dataDir, 'demo.json')
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
