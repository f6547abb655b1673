import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { connectForMaintenance } from '../../src/db/connection/connect.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import type { Database } from '../../src/db/schema/tables.ts'
import { foundSchools, writeHistory } from './history.ts'

/** Databases with the same data and different statistics of the planner. */
export type GrownDatabases = {
  readonly analyzed: string
  readonly neverAnalyzed: string
  /** Analyzed while it had only one school. */
  readonly analyzedEarly: string
  readonly drop: () => Promise<void>
}

const SCHOOLS = 50
const WEEKS = 6
const USERS = 5_000

type Pool = Parameters<typeof foundSchools>[0]

/** Makes the databases on a server, large enough that no plan reads a whole table because it is small. */
export async function growDatabases(server: string): Promise<GrownDatabases> {
  const name = `fahrplan_grown_${randomBytes(6).toString('hex')}`
  const [neverAnalyzed, analyzed, analyzedEarly] = [name, `${name}_analyzed`, `${name}_early`]
  const make = (database: string, template = 'template1') =>
    on(server, (db) => sql`create database ${sql.id(database)} template ${sql.id(template)}`.execute(db))
  await make(neverAnalyzed)
  await on(addressOf(server, neverAnalyzed), (db) => fill(db))
  await make(analyzed, neverAnalyzed)
  await on(addressOf(server, analyzed), (db) => sql`analyze`.execute(db))
  await make(analyzedEarly)
  await on(addressOf(server, analyzedEarly), (db) => fill(db, () => sql`analyze`.execute(db)))
  return {
    analyzed: addressOf(server, analyzed),
    neverAnalyzed: addressOf(server, neverAnalyzed),
    analyzedEarly: addressOf(server, analyzedEarly),
    drop: () =>
      on(server, async (db) => {
        for (const database of [neverAnalyzed, analyzed, analyzedEarly])
          await sql`drop database ${sql.id(database)} with (force)`.execute(db)
      }),
  }
}

async function fill(db: Pool, whenOne: () => Promise<unknown> = async () => undefined): Promise<void> {
  await migrate(db)
  await stopAutovacuum(db)
  await foundSchools(db, { count: 1 })
  await writeHistory(db, { weeks: WEEKS })
  await noteHistory(db)
  await whenOne()
  await foundSchools(db, { first: 1, count: SCHOOLS - 1 })
  await writeHistory(db, { weeks: WEEKS })
  await noteHistory(db)
  await addOtherSchools(db)
}

async function stopAutovacuum(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(
    db,
  )
  for (const { name } of rows)
    await sql`alter table ${sql.id(name)} set (autovacuum_enabled = false)`.execute(db)
}

/** Logs a booking and a change of each lesson of the schools founded last, and adds their requests, messages and offers. */
async function noteHistory(db: Database): Promise<void> {
  await sql`insert into changes (tenant_id, id, at, transaction, actor_kind, actor_id, actor_name, resource, resource_id,
      action, set_id, before, after)
    select tenant_id, gen_random_uuid(), a.created_at - (40 - n) * interval '1 day',
      row_number() over (order by n, a.id)::text::xid8, 'user', u.id, 'Bench', 'appointment', a.id,
      case n when 1 then 'created' else 'changed' end, gen_random_uuid(), '{"notes": null}', '{"notes": "Motorway"}'
    from appointments a join school on school.id = a.tenant_id join users u using (tenant_id), generate_series(1, 2) n`.execute(
    db,
  )
  await sql`insert into schedule_requests (tenant_id, id, instructor_id, start_date, end_date, status)
    select tenant_id, gen_random_uuid(), i.id, date '2026-08-03' + n, date '2026-08-04' + n,
      case n when 1 then 'open' else 'accepted' end
    from instructors i join school on school.id = i.tenant_id, generate_series(1, 30) n`.execute(db)
  await sql`insert into messages (tenant_id, id, kind, student_id, state, finished_at, send_at, worth_until, next_attempt_at)
    select tenant_id, gen_random_uuid(), 'link', s.id, 'sent', now(), now(), now(), now()
    from students s join school on school.id = s.tenant_id, generate_series(1, 5) n`.execute(db)
  await sql`insert into wishes (tenant_id, id, student_id, minutes)
    select tenant_id, gen_random_uuid(), s.id, 90 from students s join school on school.id = s.tenant_id, generate_series(1, 5) n`.execute(
    db,
  )
  await sql`insert into availability (tenant_id, id, student_id, week_start, lessons)
    select tenant_id, gen_random_uuid(), s.id, date '2026-08-03' + 7 * n, 1
    from students s join school on school.id = s.tenant_id, generate_series(1, 5) n`.execute(db)
  await sql`insert into push_subscriptions (tenant_id, student_id, endpoint, p256dh, auth)
    select tenant_id, s.id, 'https://push.example/' || n, 'key', 'secret'
    from students s join school on school.id = s.tenant_id, generate_series(1, 5) n`.execute(db)
  await addEnrolments(db)
  await addVehicles(db)
  await addOutside(db)
  await addOffers(db)
}

/** Adds an ended enrolment and a current one, with ticks, of each student of the schools founded last. */
async function addEnrolments(db: Database): Promise<void> {
  await sql`insert into enrolments (tenant_id, id, student_id, template_id, license_class, begins_on, ends_on, outcome, is_current)
    select s.tenant_id, gen_random_uuid(), s.id, template.id, template.license_class, date '2026-01-05',
      case n when 1 then date '2026-02-05' end, case n when 1 then 'stopped' end, n = 2
    from students s join school on school.id = s.tenant_id
    join lateral (select id, license_class from license_class_templates
      where tenant_id = s.tenant_id order by position limit 1) template on true, generate_series(1, 2) n`.execute(
    db,
  )
  await sql`insert into ticks (tenant_id, id, student_id, enrolment_id, kind, date)
    select tenant_id, gen_random_uuid(), student_id, enrolment.id, kind, begins_on
    from enrolments enrolment join school on school.id = enrolment.tenant_id,
      unnest('{photo,sight_test,first_aid}'::text[]) kind`.execute(db)
  await sql`insert into signatures (tenant_id, id, student_id, appointment_id, "as", name, digest, document, actor_kind, actor_name)
    select tenant_id, gen_random_uuid(), student_id, lesson.id, 'student', 'Lena Vogt', 'sha256:', '{}', 'user', 'Bench'
    from appointments lesson join school on school.id = lesson.tenant_id
    where student_id is not null and extract(hour from start_at) = 8`.execute(db)
}

/** Adds the vehicles and closures of the schools founded last. */
async function addVehicles(db: Database): Promise<void> {
  await sql`insert into closures (tenant_id, id, start_date, end_date)
    select id, gen_random_uuid(), date '2026-01-05' + 7 * n, date '2026-01-05' + 7 * n from school, generate_series(1, 40) n`.execute(
    db,
  )
  await sql`with made as (
      insert into calendars (tenant_id, id, kind)
      select id, gen_random_uuid(), 'vehicle' from school, generate_series(1, 40) returning *)
    insert into vehicles (tenant_id, id, name, kind, active, license_classes, absences)
    select tenant_id, id, id::text, 'car', true, '{}', '[]' from made`.execute(db)
}

/** Adds an enrolled enquiry and a new one for each student, a call, and two calendars of each instructor that are not due. */
async function addOutside(db: Database): Promise<void> {
  await sql`insert into enquiries (tenant_id, id, form_id, first_name, last_name, license_class, language, consent_at, state, student_id)
    select tenant_id, gen_random_uuid(), gen_random_uuid(), first_name, last_name, 'B', 'de', now(),
      case n when 1 then 'enrolled' else 'new' end, case n when 1 then s.id end
    from students s join school on school.id = s.tenant_id, generate_series(1, 2) n`.execute(db)
  await sql`insert into messages (tenant_id, id, kind, student_id, channel, send_at, worth_until, next_attempt_at)
    select tenant_id, gen_random_uuid(), 'cancelled', s.id, 'call', now() + interval '10 days', now() + interval '12 days', now()
    from students s join school on school.id = s.tenant_id`.execute(db)
  await sql`with added as (
      insert into busy_calendars (tenant_id, id, instructor_id, name, host, address, next_read_at)
      select tenant_id, gen_random_uuid(), i.id, 'Private', 'calendar.example', '', now() + interval '1 day'
      from instructors i join school on school.id = i.tenant_id, generate_series(1, 2) returning *)
    insert into busy_times (tenant_id, instructor_id, calendar_id, times)
    select tenant_id, instructor_id, id, '{["2031-06-02 10:00","2031-06-02 12:00")}' from added`.execute(db)
}

/** Adds expired offers, each to two students, longer ago than the limit of offers looks back. */
async function addOffers(db: Database): Promise<void> {
  await sql`with offered as (
      insert into offers (tenant_id, id, instructor_id, lesson_type_id, start_at, end_at, expires_at)
      select i.tenant_id, gen_random_uuid(), i.id, (select t.id from lesson_types t where t.tenant_id = i.tenant_id limit 1),
        at, at + interval '90 minutes', at
      from instructors i join school on school.id = i.tenant_id,
        generate_series(now() - interval '38 days', now() - interval '8 days', interval '1 day') at returning *)
    insert into offer_links (tenant_id, offer_id, student_id, token_hash, created_at)
    select tenant_id, o.id, s.id, sha256((o.id::text || s.id)::bytea), expires_at from offered o
      join (select tenant_id, id, row_number() over (partition by tenant_id order by id) as place from students) s using (tenant_id)
    where place <= 2`.execute(db)
}

/** Adds other schools and users, with sessions and failed logins. */
async function addOtherSchools(db: Database): Promise<void> {
  const numbers = sql`generate_series(1, ${sql.lit(USERS)}) n`
  await sql`insert into tenants (id, name, timezone, locale, country, unit_minutes, default_required_break_minutes)
    select gen_random_uuid(), 'School', 'Europe/Berlin', 'de', 'DE', 45, 0 from ${numbers}`.execute(db)
  await sql`insert into users (id, tenant_id, email, name, password_hash)
    select gen_random_uuid(), school.id, 'user' || n || '@school.example', 'User', 'none'
    from ${numbers} join school on number = 1 + n % ${sql.lit(SCHOOLS - 1)}`.execute(db)
  await sql`insert into token_families (id, user_id) select gen_random_uuid(), id from users`.execute(db)
  await sql`insert into session_users (family_id, user_id) select id, user_id from token_families`.execute(db)
  await sql`insert into refresh_tokens (id, family_id, token_hash, expires_at, revoked_at, revoked_reason)
    select gen_random_uuid(), id, sha256((id || '/' || n)::bytea), now() + interval '30 days',
      case when n > 1 then now() end, case when n > 1 then 'rotated' end
    from token_families, generate_series(1, 4) n`.execute(db)
  await sql`insert into login_failures (account, address, failed_at)
    select 'user' || n || '@school.example', '192.0.2.' || n % 250, now() - n * interval '1 second'
    from ${numbers}`.execute(db)
  await sql`insert into idempotency_keys (tenant_id, user_id, key, part, request_hash, body, at)
    select tenant_id, id, n::text, 0, sha256(n::text::bytea), '{}', now() from users, generate_series(1, 10) n`.execute(
    db,
  )
  await sql`insert into passkeys (id, user_id, credential_id, public_key, counter, transports, is_synced, is_backed_up, name)
    select gen_random_uuid(), id, id || '/' || n, sha256(n::text::bytea), 0, '{}', false, false, 'Laptop'
    from users, generate_series(1, 2) n`.execute(db)
  await sql`insert into recovery_codes (user_id, code_hash)
    select id, sha256((id || '/' || n)::bytea) from users, generate_series(1, 10) n`.execute(db)
  await sql`insert into totp_secrets (user_id, sealed_secret, last_step)
    select id, sha256(id::text::bytea), 0 from users`.execute(db)
  await sql`insert into identity_providers (tenant_id, issuer, client_id, sealed_secret, required)
    select id, 'https://issuer.example', 'fahrplan', '', false from tenants`.execute(db)
  await sql`insert into identities (user_id, tenant_id, issuer, subject)
    select id, tenant_id, 'https://issuer.example', id::text from users`.execute(db)
  await sql`insert into used_challenges (id, expires_at)
    select gen_random_uuid(), now() from ${numbers}`.execute(db)
  await sql`insert into login_addresses (user_id, address) select id, '192.0.2.1' from users`.execute(db)
  await sql`insert into links (tenant_id, id, student_id, token_hash)
    select tenant_id, gen_random_uuid(), id, sha256(id::text::bytea) from students`.execute(db)
  await sql`insert into password_links (user_id, kind, secret_hash, expires_at)
    select id, kind, sha256((id || kind)::bytea), now() + interval '7 days'
    from users, unnest(array['invitation', 'reset']) kind`.execute(db)
  await addWebhooks(db)
  await sql`insert into mails (tenant_id, id, to_address, to_name, template, worth_until, state, finished_at)
    select tenant_id, gen_random_uuid(), email, name, 'invitation', now(), 'sent', now() from users`.execute(
    db,
  )
  await sql`insert into mails (tenant_id, id, to_address, to_name, template, worth_until, params)
    select tenant_id, gen_random_uuid(), email, name, 'invitation', now(), '{}' from users`.execute(db)
}

/** Adds webhooks that are not due, with waiting and finished deliveries. */
async function addWebhooks(db: Database): Promise<void> {
  await sql`insert into webhooks (tenant_id, id, url, events, secret, position, next_look_at)
    select id, gen_random_uuid(), 'https://receiver.example/', '["*"]', '', '{}', now() + interval '1 day' from tenants`.execute(
    db,
  )
  await sql`insert into webhook_deliveries (tenant_id, webhook_id, id, changed_at, type, resource_id, round, state, finished_at)
    select tenant_id, id, gen_random_uuid(), now(), 'student.created', gen_random_uuid(), 1,
      case when n > 2 then 'delivered' else 'waiting' end, case when n > 2 then now() end
    from webhooks, generate_series(1, 12) n`.execute(db)
}

async function on(url: string, work: (db: Pool) => Promise<unknown>): Promise<void> {
  const db = connectForMaintenance(url, (error) => console.error('lost connection', error.message))
  await work(db)
  await db.destroy()
}

function addressOf(server: string, database: string): string {
  const address = new URL(server)
  address.pathname = database
  return address.href
}
