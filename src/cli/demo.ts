import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { readServiceConfig, type ServiceConfig } from '../config.ts'
import { takeDataDir } from '../db/upkeep/data-dir.ts'
import { DEMO_EMAIL } from '../demo/school.ts'
import { buildWebIfNeeded } from './build-web.ts'
import { CommandFailure, type Environment, type ProcessCommand } from './command.ts'
import { type DemoState, fillDemo, readState, writeState } from './demo-state.ts'
import { requireFreePorts } from './free-ports.ts'
import { start } from './serve.ts'
import { endedBySignal } from './stopping.ts'

export const demo: ProcessCommand = {
  kind: 'process',
  name: 'demo',
  summary: 'Serve a demo school: 6 instructors, 60 students, five weeks of lessons around today.',
  options: { reset: { type: 'boolean', help: 'Create the demo school afresh' } },
  run: async ({ env, values, terminal }) => {
    const dataDir = env.DATA_DIR || 'data/demo'
    const state = prepare(dataDir, values.reset === true)
    const config = readServiceConfig(environmentOf(env, state))
    await requireFreePorts(config)
    if (!state.tenant_id) terminal.err('Creating the demo school; this takes a few seconds …')
    await endedBySignal(async (signal) => {
      await Promise.all([
        buildWebIfNeeded(terminal.err, signal),
        state.tenant_id ? undefined : createInChildProcess(dataDir, signal),
      ])
    })
    const { url } = await start({
      config: { ...config, demoLogin: shownLogin(config, state) },
      database: { kind: 'embedded', dataDir },
      command: 'demo',
      prepare: (db) => fillDemo(db, dataDir, readState(dataDir) ?? state),
    })
    terminal.out(`Ready: ${url}`)
    terminal.out(`Login: ${DEMO_EMAIL} / ${state.password}`)
  },
}

/** Returns the login to show in `/docs`. The password is hidden if other machines can reach the demo. */
function shownLogin({ host }: ServiceConfig, { password }: DemoState) {
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(host)
  return { email: DEMO_EMAIL, password: isLocal ? password : undefined }
}

/** Creates the demo school in a child process. Throws a `CommandFailure`. */
async function createInChildProcess(dataDir: string, signal: AbortSignal): Promise<void> {
  // The process runs for seconds, too short for optimized WebAssembly to pay off.
  const program = ['--liftoff-only', join(import.meta.dirname, 'make-demo.ts'), resolve(dataDir)]
  const making = spawn(process.execPath, program, { stdio: ['pipe', 'inherit', 'pipe'], signal })
  const ended = new Promise<number | null>((end) => {
    making.once('error', () => end(null))
    making.once('close', end)
  })
  const [complaints, exitCode] = await Promise.all([text(making.stderr), ended])
  if (exitCode !== 0) throw new CommandFailure(`The demo school could not be created. ${complaints.trim()}`)
}

/** Returns the demo's environment: its own secret, a quiet log by default, and never the database of `DATABASE_URL`. */
function environmentOf(env: Environment, { jwt_secret }: DemoState): Environment {
  return { LOG_LEVEL: 'warn', ...env, JWT_SECRET: jwt_secret, DATABASE_URL: undefined }
}

/** Returns the demo's state. Replaces an unfinished demo, or any with `reset`. Throws if it is in use or not a demo. */
function prepare(dataDir: string, reset: boolean): DemoState {
  const state = readState(dataDir)
  const home = join(dataDir, 'database')
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
