import { execute } from './postgres-database.ts'

/** The tables whose lists are tagged by the versions of their rows, with the columns that these lists do not return. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  appointments: ['cancelled_with_student'],
  students: [],
  instructors: [],
  lesson_types: [],
  schedule_requests: [],
  vehicles: [],
  locations: [],
  wishes: [],
  availability: [],
  enrolments: [],
  ticks: [],
  closures: [],
  webhooks: ['secret', 'position', 'round', 'turn', 'next_look_at', 'failures', 'failing_since', 'held_turn'],
}

/** The tables whose rows the instructors' list contains. */
const PARTS = ['availability_windows', 'vacations']

/** Makes a database reject every transaction that changes a listed field without the version of its row. */
export async function requireVersions(owner: string): Promise<void> {
  const watch = (table: string, events: string, check: string) =>
    `create constraint trigger watched_version after ${events} on ${table}
      deferrable initially deferred for each row execute function ${check};`
  const watches = Object.entries(TABLES).map(([table, unlisted]) =>
    watch(table, 'update', `require_version(${unlisted.map((name) => `'${name}'`).join()})`),
  )
  const watchesOfParts = PARTS.map((table) =>
    watch(table, 'insert or update or delete', 'require_version_of_instructor()'),
  )
  await execute(
    owner,
    `create function require_version() returns trigger language plpgsql as $$
      declare
        -- An erasure changes deleted students, whose list shows when they were changed.
        before jsonb = to_jsonb(old);
        version text = case when before ->> 'deleted_at' is null then 'version' else 'updated_at' end;
        after jsonb;
        unlisted text[] = tg_argv || array['version', 'updated_at'];
      begin
        execute format('select to_jsonb(t) from %I t where tenant_id = $1 and id = $2', tg_table_name)
          into after using old.tenant_id, old.id;
        if before -> version = after -> version and before - unlisted <> after - unlisted then
          raise '% changed without its %: %, then %', tg_table_name, version, before, after;
        end if;
        return null;
      end $$;
    create function require_version_of_instructor() returns trigger language plpgsql as $$
      declare part record = coalesce(new, old);
      begin
        if exists (select from instructors where tenant_id = part.tenant_id and id = part.instructor_id
            and xmin <> pg_current_xact_id()::xid) then
          raise '% of instructor % changed without its version', tg_table_name, part.instructor_id;
        end if;
        return null;
      end $$;
    ${[...watches, ...watchesOfParts].join('\n')}`,
  )
}

export async function forgetVersions(owner: string): Promise<void> {
  await execute(
    owner,
    'drop function require_version() cascade; drop function require_version_of_instructor() cascade',
  )
}
