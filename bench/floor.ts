import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { connectEmbedded } from '../src/db/connection/connect.ts'

/**
 * A bare `node:http` server with one prepared call per request on the service's tables, without login, validation or rules.
 * `book_durably` makes the service's reads and durable writes: both calendars, the appointment and the entry in the log.
 */
const statements: Readonly<Record<string, { readonly name: string; readonly text: string }>> = {
  book: {
    name: 'book',
    text: `insert into appointments (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title, status, overrides_used)
      values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, 'Bench', 'planned', '{}') returning id, start_at::text, end_at::text`,
  },
  book_durably: {
    name: 'book_durably',
    text: `with agenda as (
        select string_agg(concat_ws(',', id, start_at, end_at, status), ';') as lines from (
          select * from appointments where tenant_id = $1 and instructor_id = $2 and deleted_at is null
            and start_at < $5::timestamp + interval '7 days' and start_at > $5::timestamp - interval '7 days'
          union all
          select * from appointments where tenant_id = $1 and student_id = $3 and deleted_at is null
            and start_at < $5::timestamp + interval '7 days' and start_at > $5::timestamp - interval '7 days') as seen),
      versions as (
        update calendars set version = version + 1 where tenant_id = $1 and id in ($2, $3) returning id),
      written as (
        insert into appointments (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title, status,
          notes, practised, actual_start_at, actual_end_at, overrides_used, series_id, license_class)
        select $1, gen_random_uuid(), $2, $3, $4, $5, $6, 'Bench', 'planned', null, null, null, null, '{}', null, null
        where (select count(*) from versions) > 0
        returning *),
      logged as (
        insert into changes (tenant_id, id, set_id, actor_kind, actor_id, actor_name, resource, resource_id, action, before, after)
        select $1, gen_random_uuid(), gen_random_uuid(), 'user', $7, 'Bench', 'appointment', id, 'created', null, row_to_json(written)
        from written)
      select id, start_at::text, end_at::text, length((select lines from agenda)) as agenda from written`,
  },
  change: {
    name: 'change',
    text: `update appointments set start_at = $3, end_at = $4, updated_at = now() where tenant_id = $1 and id = $2
      returning id, start_at::text, end_at::text`,
  },
  refused: {
    name: 'refused',
    text: `select id, start_at::text, end_at::text from appointments where tenant_id = $1 and instructor_id = $2
      and start_at < $4::timestamp and end_at > $3::timestamp and start_at > $3::timestamp - interval '24 hours'
      and deleted_at is null limit 1`,
  },
  week: {
    name: 'week',
    text: `select coalesce(json_agg(a), '[]')::text as body from (
      select id, instructor_id, student_id, lesson_type_id, title, to_char(start_at, 'YYYY-MM-DD HH24:MI') as start_at,
        to_char(end_at, 'YYYY-MM-DD HH24:MI') as end_at, status, notes, practised, pickup_place, location_id,
        actual_start_at, actual_end_at, vehicle_ids, attendees, seats, topic, exam_result, overrides_used, series_id,
        license_class, cancellation, version, created_at, updated_at
      from appointments where tenant_id = $1 and start_at >= $2 and start_at < $3 and deleted_at is null
      order by appointments.start_at, id) a`,
  },
  bootstrap: {
    name: 'bootstrap',
    text: `select json_build_object('tenant', (select row_to_json(t) from tenants t where id = $1),
      'students', (select json_agg(s) from (select * from students where tenant_id = $1 order by last_name, first_name, id) s),
      'instructors', (select json_agg(i) from (select *,
          (select json_agg(w) from availability_windows w where w.tenant_id = $1 and w.instructor_id = i.id) as availability_windows,
          (select json_agg(v) from vacations v where v.tenant_id = $1 and v.instructor_id = i.id) as vacations
        from instructors i where tenant_id = $1 order by last_name, first_name, id) i),
      'lessonTypes', (select json_agg(l) from (select * from lesson_types where tenant_id = $1 order by position) l),
      'templates', (select json_agg(c) from (select *,
          (select json_agg(r) from template_requirements r where r.tenant_id = $1 and r.license_class_template_id = c.id) as requirements
        from license_class_templates c where tenant_id = $1 order by position) c))::text as body`,
  },
  login: { name: 'login', text: 'select id, password_hash from users where email = $1' },
  refresh: {
    name: 'refresh',
    text: 'update login_addresses set last_login_at = now() where user_id = $1 returning address',
  },
}

const pool = process.env.DATABASE_URL
  ? new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 })
  : (await connectEmbedded(process.env.DATA_DIR, console.error)).pool

const server = createServer(async (request, response) => {
  const [, operation = ''] = (request.url ?? '').split('/')
  const body = await text(request)
  if (operation === 'me') return respond('{"id":"me"}')
  const statement = statements[operation]
  if (!statement) {
    response.writeHead(404).end()
    return
  }
  const { rows } = await pool.query({ ...statement, values: JSON.parse(body) })
  respond(rows[0]?.body ?? JSON.stringify(rows[0] ?? {}))

  function respond(json: string): void {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
      .end(json)
  }
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`Ready: ${address && typeof address === 'object' ? address.port : ''}`)
})
process.on('SIGTERM', () => process.exit(0))
