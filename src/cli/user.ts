import { v7 as uuidv7 } from 'uuid'
import { accountFor } from '../auth/login.ts'
import { hashPassword } from '../auth/password.ts'
import { isEmail, isUuid } from '../contract/formats.ts'
import { revokeFamiliesOf } from '../db/refresh-tokens.ts'
import type { Database } from '../db/tables.ts'
import { findTenant } from '../db/tenants.ts'
import { inTransaction } from '../db/transaction.ts'
import { findLogin, insertUser, listUsers, setDisabled, setPasswordHash } from '../db/users.ts'
import { PASSWORD_BYTES } from '../domain/ranges.ts'
import {
  CommandFailure,
  type DataCommand,
  nameOf,
  type Terminal,
  textOf,
  UsageError,
  type Values,
} from './command.ts'

const email = {
  type: 'string',
  value: 'EMAIL',
  help: 'E-mail address, unique across all schools',
  required: true,
} as const
const json = { type: 'boolean', help: 'Print JSON' } as const
const passwordStdin = {
  type: 'boolean',
  help: `Read the password, ${PASSWORD_BYTES.min} to ${PASSWORD_BYTES.max} bytes, from standard input`,
  required: true,
} as const

/** Makes a user of a school. */
export const userCreate: DataCommand = {
  kind: 'data',
  name: 'user create',
  summary: 'Make a user of a driving school.',
  options: {
    tenant: { type: 'string', value: 'ID', help: "The school's id", required: true },
    email,
    name: { type: 'string', value: 'NAME', help: "The person's name", required: true },
    'password-stdin': passwordStdin,
    json,
  },
  run: async ({ db, values, terminal }) => {
    const id = uuidv7()
    const user = {
      id,
      tenant_id: await requireTenant(db, values),
      email: emailOf(values),
      name: nameOf(values),
      password_hash: await hashPassword(await readPassword(terminal)),
    }
    if (!(await insertUser(db, user))) throw new CommandFailure(`The e-mail address ${user.email} is taken.`)
    terminal.out(values.json ? JSON.stringify({ id }) : `Made the user ${user.email}: ${id}`)
  },
}

/** Sets a password and ends the user's sessions. */
export const userSetPassword: DataCommand = {
  kind: 'data',
  name: 'user set-password',
  summary: "Set a user's password; ends the user's sessions.",
  options: { email, 'password-stdin': passwordStdin, json },
  run: async ({ db, values, terminal, onRevoked }) => {
    const id = await requireUser(db, values)
    const passwordHash = await hashPassword(await readPassword(terminal))
    const ended = await inTransaction(db, async (transaction) => {
      await setPasswordHash(transaction, id, passwordHash)
      return revokeFamiliesOf(transaction, id, 'password_changed')
    })
    onRevoked(ended)
    terminal.out(values.json ? JSON.stringify({ id }) : `Set the password of ${emailOf(values)}.`)
  },
}

/** Keeps a user from logging in and ends the user's sessions. */
export const userDisable = switching('user disable', 'Keep a user from logging in; ends the sessions.', true)

/** Lets a disabled user log in again. */
export const userEnable = switching('user enable', 'Let a disabled user log in again.', false)

/** Lists users. */
export const userList: DataCommand = {
  kind: 'data',
  name: 'user list',
  summary: 'List the users.',
  options: { tenant: { type: 'string', value: 'ID', help: 'Only of this school' }, json },
  run: async ({ db, values, terminal }) => {
    const tenantId = values.tenant === undefined ? undefined : await requireTenant(db, values)
    const users = await listUsers(db, tenantId)
    if (values.json) return terminal.out(JSON.stringify(users))
    for (const { id, tenant_id, email: address, name, disabled } of users) {
      terminal.out(`${id}  ${tenant_id}  ${address}  ${name}${disabled ? '  (disabled)' : ''}`)
    }
  },
}

function switching(name: string, summary: string, disabled: boolean): DataCommand {
  return {
    kind: 'data',
    name,
    summary,
    options: { email, json },
    run: async ({ db, values, terminal, onRevoked }) => {
      const id = await requireUser(db, values)
      const ended = await inTransaction(db, async (transaction) => {
        await setDisabled(transaction, id, disabled)
        return disabled ? revokeFamiliesOf(transaction, id, 'user_disabled') : []
      })
      onRevoked(ended)
      terminal.out(
        values.json
          ? JSON.stringify({ id, disabled })
          : `${emailOf(values)} is ${disabled ? 'disabled' : 'enabled'}.`,
      )
    },
  }
}

async function requireTenant(db: Database, values: Values): Promise<string> {
  const id = textOf(values, 'tenant').toLowerCase()
  if (!isUuid(id)) throw new UsageError('--tenant must be the id that "tenant create" printed')
  if (!(await findTenant(db, id))) throw new CommandFailure(`There is no school ${id}.`)
  return id
}

async function requireUser(db: Database, values: Values): Promise<string> {
  const user = await findLogin(db, emailOf(values))
  if (!user) throw new CommandFailure(`There is no user ${emailOf(values)}.`)
  return user.id
}

function emailOf(values: Values): string {
  const address = accountFor(textOf(values, 'email'))
  if (!isEmail(address)) throw new UsageError(`--email must be an e-mail address, not ${address}`)
  return address
}

/** One final newline is the terminal's, not the password's. */
async function readPassword(terminal: Terminal): Promise<string> {
  const password = (await terminal.readInput()).replace(/\r?\n$/, '')
  const { min, max } = PASSWORD_BYTES
  const bytes = Buffer.byteLength(password)
  if (bytes < min || bytes > max) {
    throw new UsageError(`The password must have ${min} to ${max} bytes; standard input had ${bytes}`)
  }
  return password
}
