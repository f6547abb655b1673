import { accountFor } from '../auth/login.ts'
import { resetSecondFactor } from '../auth/second-factor.ts'
import { createUser, disableUser, setPassword } from '../auth/users.ts'
import { commandActor } from '../booking/command-actor.ts'
import type { Actor } from '../contract/actor.ts'
import { USER_ROLES, type User } from '../contract/auth.ts'
import { isEmail, isUuid } from '../contract/formats.ts'
import type { Tenant } from '../contract/tenant.ts'
import { listLogins, listUsers } from '../db/accounts/users.ts'
import type { Database } from '../db/schema/tables.ts'
import { hasInstructor } from '../db/school/instructors.ts'
import { findTenant } from '../db/school/tenants.ts'
import { PASSWORD_BYTES } from '../domain/ranges.ts'
import {
  CommandFailure,
  type DataCommand,
  nameOption,
  requiredOption,
  type Terminal,
  UsageError,
  type Values,
} from './command.ts'
import { requireTenantOption } from './tenant-option.ts'

const email = {
  type: 'string',
  value: 'EMAIL',
  help: 'E-mail address',
  required: true,
} as const
const ofSchool = {
  type: 'string',
  value: 'ID',
  help: "The school's id, if users of several schools have the address",
} as const
const json = { type: 'boolean', help: 'Print JSON' } as const
const passwordStdin = {
  type: 'boolean',
  help: `Read the password, ${PASSWORD_BYTES.min} to ${PASSWORD_BYTES.max} bytes, from standard input`,
  required: true,
} as const

export const userCreate: DataCommand = {
  kind: 'data',
  name: 'user create',
  summary: 'Create a user of a driving school.',
  options: {
    tenant: { type: 'string', value: 'ID', help: "The school's id", required: true },
    email,
    name: { type: 'string', value: 'NAME', help: "The person's name", required: true },
    role: { type: 'string', value: 'ROLE', help: `${USER_ROLES.join(', ')}; owner by default` },
    instructor: {
      type: 'string',
      value: 'ID',
      help: 'The instructor that the user is; required for that role',
    },
    'password-stdin': passwordStdin,
    'shared-email': {
      type: 'boolean',
      help: 'Also if users of other schools have the address: with the same password they are one login',
    },
    json,
  },
  check: roleOf,
  run: async ({ db, values, terminal }) => {
    const actor = commandActor('user create', await requireTenantOption(db, values), new Date())
    const role = roleOf(values)
    await requireInstructorOf(db, actor.tenant, role)
    const logins = await listLogins(db, emailOf(values))
    const isElsewhere = logins.some(({ tenant_id }) => tenant_id !== actor.tenant.id)
    if (isElsewhere && !values['shared-email'])
      throw new CommandFailure(
        `The e-mail address ${emailOf(values)} is taken by a user of another school. Use --shared-email to give it to both.`,
      )
    const password = await readPassword(terminal)
    const user = { email: emailOf(values), name: nameOption(values), password, ...role }
    const id = await createUser(db, actor, user)
    if (!id) throw new CommandFailure(`The e-mail address ${user.email} is taken.`)
    terminal.out(values.json ? JSON.stringify({ id }) : `Created the user ${user.email}: ${id}`)
  },
}

export const userSetPassword: DataCommand = {
  kind: 'data',
  name: 'user set-password',
  summary: "Set a user's password; ends the user's sessions.",
  options: { email, tenant: ofSchool, 'password-stdin': passwordStdin, json },
  run: async ({ db, values, terminal, onRevoked }) => {
    const { id, actor } = await requireUser(db, values, 'user set-password')
    const user = { id, email: emailOf(values) }
    onRevoked(await setPassword(db, actor, user, await readPassword(terminal)))
    terminal.out(values.json ? JSON.stringify({ id }) : `Set the password of ${user.email}.`)
  },
}

export const userResetSecondFactor: DataCommand = {
  kind: 'data',
  name: 'user reset-second-factor',
  summary: "Remove a user's passkeys, recovery codes and second factor; ends the sessions.",
  options: { email, tenant: ofSchool, json },
  run: async ({ db, values, terminal, onRevoked }) => {
    const { id, actor } = await requireUser(db, values, 'user reset-second-factor')
    onRevoked(await resetSecondFactor(db, actor, id))
    terminal.out(
      values.json ? JSON.stringify({ id }) : `${emailOf(values)} logs in with the password alone again.`,
    )
  },
}

export const userDisable = accessCommand(
  'user disable',
  'Disable a user: no login, and the sessions end.',
  true,
)

export const userEnable = accessCommand('user enable', 'Let a disabled user log in again.', false)

export const userList: DataCommand = {
  kind: 'data',
  name: 'user list',
  summary: 'List the users, with those invited or disabled marked.',
  options: { tenant: { type: 'string', value: 'ID', help: 'Only of this school' }, json },
  run: async ({ db, values, terminal }) => {
    const tenant = values.tenant === undefined ? undefined : await requireTenantOption(db, values)
    const users = await listUsers(db, tenant?.id)
    if (values.json) return terminal.out(JSON.stringify(users))
    for (const { id, tenant_id, email: address, name, role, state } of users) {
      terminal.out(
        `${id}  ${tenant_id}  ${address}  ${role}  ${name}${state === 'active' ? '' : `  (${state})`}`,
      )
    }
  },
}

function accessCommand(name: string, summary: string, disabled: boolean): DataCommand {
  return {
    kind: 'data',
    name,
    summary,
    options: { email, tenant: ofSchool, json },
    run: async ({ db, values, terminal, onRevoked }) => {
      const { id, actor } = await requireUser(db, values, name)
      onRevoked(await disableUser(db, actor, id, disabled))
      terminal.out(
        values.json
          ? JSON.stringify({ id, disabled })
          : `${emailOf(values)} is ${disabled ? 'disabled' : 'enabled'}.`,
      )
    },
  }
}

type UserRoleOf = Pick<User, 'role' | 'instructor_id'>

function roleOf(values: Values): UserRoleOf {
  const { role = 'owner', instructor } = values
  const known = USER_ROLES.find((one) => one === role)
  if (!known) throw new UsageError(`--role must be one of ${USER_ROLES.join(', ')}, not ${role}`)
  if (known === 'instructor' && instructor === undefined) {
    throw new UsageError('--role instructor needs --instructor ID')
  }
  if (instructor === undefined) return { role: known, instructor_id: null }
  const id = String(instructor).toLowerCase()
  if (!isUuid(id)) throw new UsageError("--instructor must be an instructor's id")
  return { role: known, instructor_id: id }
}

async function requireInstructorOf(
  db: Database,
  { id }: Tenant,
  { instructor_id }: UserRoleOf,
): Promise<void> {
  if (instructor_id === null || (await hasInstructor(db, id, instructor_id))) return
  throw new CommandFailure(`There is no instructor ${instructor_id} in this school.`)
}

async function requireUser(
  db: Database,
  values: Values,
  command: string,
): Promise<{ id: string; actor: Actor }> {
  const email = emailOf(values)
  const school = values.tenant === undefined ? undefined : await requireTenantOption(db, values)
  const logins = await listLogins(db, email)
  const [user, another] = school ? logins.filter(({ tenant_id }) => tenant_id === school.id) : logins
  if (another) {
    const schools = logins.map(({ tenant_id }) => tenant_id).join(', ')
    throw new CommandFailure(
      `Users of several schools have the address ${email}. Choose one with --tenant: ${schools}.`,
    )
  }
  const tenant = user && (await findTenant(db, user.tenant_id))
  if (!tenant) throw new CommandFailure(`There is no user ${email}.`)
  return { id: user.id, actor: commandActor(command, tenant, new Date()) }
}

function emailOf(values: Values): string {
  const address = accountFor(requiredOption(values, 'email'))
  if (!isEmail(address)) throw new UsageError(`--email must be an e-mail address, not ${address}`)
  return address
}

/** Reads a password from standard input, without its final newline. Throws a `UsageError` for a wrong length. */
async function readPassword(terminal: Terminal): Promise<string> {
  const password = (await terminal.readInput()).replace(/\r?\n$/, '')
  const { min, max } = PASSWORD_BYTES
  const bytes = Buffer.byteLength(password)
  if (bytes < min || bytes > max) {
    throw new UsageError(`The password must have ${min} to ${max} bytes; standard input had ${bytes}`)
  }
  return password
}
