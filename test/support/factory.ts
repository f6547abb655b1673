import { randomUUID } from 'node:crypto'
import { type Algorithm, hash as argon2 } from '@node-rs/argon2'
import { commandActor } from '../../src/booking/command-actor.ts'
import { createTenant, type NewTenant } from '../../src/booking/school/create-tenant.ts'
import type { Actor } from '../../src/contract/actor.ts'
import type { UserRole } from '../../src/contract/auth.ts'
import { insertUser } from '../../src/db/accounts/users.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { findTenant } from '../../src/db/school/tenants.ts'
import type { TestService } from './app.ts'
import { type Answer, Client, type Headings, must, type Reached } from './client.ts'

export const PASSWORD = 'correct horse battery'

const CHEAP = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 64, timeCost: 1, parallelism: 1 }

/**
 * One cheap hash for all users of the tests, because it determines the cost of a login. Tests about that cost use
 * `aUserWithPassword`.
 */
const passwordHash = argon2(PASSWORD, CHEAP)

export type User = { readonly id: string; readonly email: string }

/** A created resource. */
export type Row = { readonly id: string } & Readonly<Record<string, unknown>>

type Fields = Readonly<Record<string, unknown>>

/** A driving school with a logged-in user, and methods that make resources from only the fields that matter. */
export class School {
  readonly tenantId: string
  readonly user: User
  readonly client: Client
  /** Ids of the lesson types by code, such as PRACTICE. */
  readonly lessonTypes: Readonly<Record<string, string>>

  constructor(tenantId: string, user: User, client: Client, lessonTypes: Readonly<Record<string, string>>) {
    this.tenantId = tenantId
    this.user = user
    this.client = client
    this.lessonTypes = lessonTypes
  }

  /** Makes an instructor without limits, windows or breaks, except for the given fields. */
  async instructor(fields: Fields = {}): Promise<Row> {
    const free = { max_daily_units: null, max_weekly_units: null, max_continuous_minutes: null }
    return created(
      await this.client.post('/instructors', {
        first_name: 'Jonas',
        last_name: 'Brandt',
        ...free,
        ...fields,
      }),
    )
  }

  async student(fields: Fields = {}): Promise<Row> {
    return created(await this.client.post('/students', { first_name: 'Lena', last_name: 'Vogt', ...fields }))
  }

  /** Requests a practice drive. The response may be a refusal. */
  book(fields: Fields, headers?: Headings): Promise<Answer> {
    return this.client.post(
      '/appointments',
      { lesson_type_id: this.lessonTypes.PRACTICE, ...fields },
      headers,
    )
  }

  /** Books a practice drive, which must be accepted. */
  async lesson(fields: Fields): Promise<Row> {
    return created(await this.book(fields))
  }
}

/** Makes a school, by default a German one, and logs its user in. */
export async function aSchool(service: TestService, tenant: Partial<NewTenant> = {}): Promise<School> {
  const given = { name: 'Fahrschule Test', country: 'DE', timezone: 'Europe/Berlin', locale: 'de', ...tenant }
  const founder = await createTenant(service.db, { command: 'test', now: new Date() }, given)
  const tenantId = founder.tenant.id
  return enter(service, { tenantId, user: await aUser(service, tenantId) })
}

/** Logs in the user of a school that was made by a test, by a command or with a large database. */
export async function enter(
  service: Reached,
  { tenantId, user }: Pick<School, 'tenantId' | 'user'>,
): Promise<School> {
  const visitor = new Client(service)
  const { token } = await logIn(visitor, user.email)
  const client = visitor.with({ authorization: `Bearer ${token}` })
  const lessonTypes: readonly { code: string; id: string }[] = must(200, await client.get('/lesson-types'))
  return new School(tenantId, user, client, Object.fromEntries(lessonTypes.map(({ code, id }) => [code, id])))
}

type NewUser = {
  readonly name: string
  readonly email: string
  readonly hash: Promise<string>
  readonly role: UserRole
  readonly instructor_id: string
}

/** Makes a user, by default an owner with the tests' password. */
export async function aUser(
  service: TestService,
  tenantId: string,
  {
    name = 'Anna Office',
    email = `${randomUUID()}@school.example`,
    hash = passwordHash,
    ...role
  }: Partial<NewUser> = {},
): Promise<User> {
  const user = { id: randomUUID(), email }
  const actor = await anActor(service, tenantId)
  const password_hash = await hash
  const whole = { role: 'owner', instructor_id: null, ...role, ...user, name, password_hash } as const
  if (!(await inTransaction(service.db, (db) => insertUser(db, actor, whole))))
    throw new Error(`${email} is taken`)
  return user
}

/** Returns a hash that is as cheap as that of `PASSWORD`. */
export function cheapHash(password: string): Promise<string> {
  return argon2(password, CHEAP)
}

/** Returns a command as an actor within the tenant. */
export async function anActor({ db }: Pick<TestService, 'db'>, tenantId: string): Promise<Actor> {
  const tenant = await findTenant(db, tenantId)
  if (!tenant) throw new Error(`there is no tenant ${tenantId}`)
  return commandActor('test', tenant, new Date())
}

/** Logs in and returns the tokens. */
export async function logIn(
  client: Client,
  email: string,
): Promise<{ token: string; refresh_token: string }> {
  return must(200, await client.post('/auth/login', { email, password: PASSWORD }))
}

function created(answer: Answer): Row {
  return must(201, answer)
}
