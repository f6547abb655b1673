import type { TestProject } from 'vitest/node'
import { TEST_ENVIRONMENT } from '../support/environment.ts'
import { execute, makeDatabase } from '../support/postgres-database.ts'
import { testServer } from '../support/postgres-server.ts'
import { type Environment, Program } from '../support/process.ts'
import { configured, type PoolMode, startNginx, startPgbouncer } from './daemons.ts'
import { throughPgbouncer } from './pooled-address.ts'

/** Two processes of the service behind nginx. */
export type Front = { readonly url: string; readonly processes: readonly [string, string] }

declare module 'vitest' {
  export interface ProvidedContext {
    front: Front
    poolMode: PoolMode
    /** The environment for one more process of the service. */
    environment: Environment
  }
}

/**
 * Makes a database behind pgbouncer, in the mode that the project's name ends with. If the name begins with `replicas`,
 * also starts two processes behind nginx, which the tests use.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [kind, poolMode] = project.name.split(' ') as ['replicas' | 'pooled', PoolMode]
  const undo: (() => Promise<void>)[] = []
  const undoAll = async () => {
    for (const one of undo.toReversed()) await one()
  }
  try {
    const server = await testServer()
    undo.push(server.stop)
    const { app, owner, remove } = await makeDatabase(server.url)
    undo.push(remove)
    await execute(app, configured('replicas/settings.sql', {}))
    const pgbouncer = await startPgbouncer(app, poolMode)
    undo.push(pgbouncer.stop)
    const pooled = throughPgbouncer(app, pgbouncer)
    const namedStatements = poolMode === 'session'
    project.provide('databases', [{ kind: 'postgres', app: pooled, owner, namedStatements }])
    project.provide('poolMode', poolMode)
    const environment = {
      ...TEST_ENVIRONMENT,
      DATABASE_URL: pooled,
      MIGRATION_DATABASE_URL: owner,
      DATABASE_NAMED_STATEMENTS: namedStatements ? 'on' : 'off',
      PORT: '0',
    }
    project.provide('environment', environment)
    if (kind === 'replicas') project.provide('front', await startFront(environment, undo))
    return undoAll
  } catch (error) {
    await undoAll()
    throw error
  }
}

async function startFront(environment: Environment, undo: (() => Promise<void>)[]): Promise<Front> {
  const start = async () => {
    const program = new Program(['serve'], environment)
    undo.push(async () => void (await program.stop()))
    return program.url()
  }
  const processes = [await start(), await start()] as const
  const [first, second] = processes.map((url) => Number(new URL(url).port))
  const nginx = await startNginx([first ?? 0, second ?? 0])
  undo.push(nginx.stop)
  return { url: `http://127.0.0.1:${nginx.port}`, processes }
}
