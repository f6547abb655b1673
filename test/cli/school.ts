import { PASSWORD, type Row, type School } from '../support/factory.ts'
import type { Environment } from '../support/process.ts'
import type { Sandbox } from './sandbox.ts'

/** A school made by the command line, and its user. `enter` logs in at a service. */
export type MadeSchool = Pick<School, 'tenantId' | 'user'>

let made = 0

/** Returns an e-mail address that no other test uses, even on the same database. */
export function anEmail(): string {
  made += 1
  return `office.${process.pid}.${made}.${Date.now()}@school.example`
}

/** Returns the arguments of a command that makes a school. */
export function tenantCreate(...more: readonly string[]): readonly string[] {
  const identity = [
    '--name',
    'Fahrschule Test',
    '--country',
    'DE',
    '--timezone',
    'Europe/Berlin',
    '--locale',
    'de',
  ]
  return ['tenant', 'create', ...identity, ...more, '--json']
}

/** Returns the arguments of a command that makes a user with a password from standard input. */
export function userCreate(tenantId: string, email: string): readonly string[] {
  return [
    'user',
    'create',
    '--tenant',
    tenantId,
    '--email',
    email,
    '--name',
    'Anna Office',
    '--password-stdin',
    '--json',
  ]
}

/** Runs a command that must succeed and returns its JSON output. */
export async function printed<Json>(
  sandbox: Pick<Sandbox, 'run'>,
  argv: readonly string[],
  environment: Environment,
  input?: string,
): Promise<Json> {
  const { code, out, err } = await sandbox.run(argv, environment, input)
  if (code !== 0) throw new Error(`${argv.join(' ')}: exit ${code}: ${err}`)
  return JSON.parse(out)
}

/** Makes a school with a user, as an operator does. */
export async function makeSchool(
  sandbox: Pick<Sandbox, 'run'>,
  environment: Environment,
  ...more: readonly string[]
): Promise<MadeSchool> {
  const email = anEmail()
  const { id: tenantId } = await printed<Row>(sandbox, tenantCreate(...more), environment)
  const { id } = await printed<Row>(sandbox, userCreate(tenantId, email), environment, `${PASSWORD}\n`)
  return { tenantId, user: { id, email } }
}
