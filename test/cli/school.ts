import type { Environment } from '../support/process.ts'
import type { Api, Row } from './api.ts'
import type { Workshop } from './workshop.ts'

export const PASSWORD = 'correct horse battery'

/** A school that was made by the command line, and its user. */
export type MadeSchool = { readonly tenantId: string; readonly email: string }

let made = 0

/** An address that no other test uses, also not those that share a database. */
export function anEmail(): string {
  made += 1
  return `office.${process.pid}.${made}.${Date.now()}@school.example`
}

/** The words of a command that makes a school. */
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

/** The words of a command that makes a user, who gets the password from standard input. */
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

/** Runs a command that must succeed and returns what it printed as JSON. */
export async function printed<Json>(
  workshop: Workshop,
  argv: readonly string[],
  environment: Environment,
  input?: string,
): Promise<Json> {
  const { code, out, err } = await workshop.run(argv, environment, input)
  if (code !== 0) throw new Error(`${argv.join(' ')}: exit ${code}: ${err}`)
  return JSON.parse(out)
}

/** Makes a school with a user, as an operator does. */
export async function makeSchool(
  workshop: Workshop,
  environment: Environment,
  ...more: readonly string[]
): Promise<MadeSchool> {
  const email = anEmail()
  const { id } = await printed<{ id: string }>(workshop, tenantCreate(...more), environment)
  await printed(workshop, userCreate(id, email), environment, `${PASSWORD}\n`)
  return { tenantId: id, email }
}

/** An instructor whom no limit keeps from work; throws if the service refuses. */
export async function hire(api: Api, last_name = 'Brandt'): Promise<Row> {
  const free = { max_daily_units: null, max_weekly_units: null, max_continuous_minutes: null }
  const { status, text, body } = await api.post('/instructors', { first_name: 'Jonas', last_name, ...free })
  if (status !== 201) throw new Error(`the instructor was answered ${status}: ${text}`)
  return body
}

/** The id of the lesson type for practice. */
export async function practiceOf(api: Api): Promise<string> {
  const { body } = await api.get<(Row & { code: string })[]>('/lesson-types')
  return body.find(({ code }) => code === 'PRACTICE')?.id ?? ''
}
