import { sql } from 'kysely'
import type { Change } from '../../src/contract/change.ts'
import type { Database } from '../../src/db/tables.ts'

type Fields = Readonly<Record<string, unknown>>

/** A resource as it is stored, or as the log of changes says it should be: its fields on the wire, its version, and whether it is deleted. */
type State = { readonly fields: Fields; readonly deleted: boolean }

type Told = Pick<Change, 'resource' | 'resource_id' | 'action' | 'before' | 'after'>

const TABLES = {
  appointment: sql`select id, instructor_id, student_id, lesson_type_id, to_char(start_at, 'YYYY-MM-DD HH24:MI') as start_at,
    to_char(end_at, 'YYYY-MM-DD HH24:MI') as end_at, title, status, notes, overrides_used, series_id, version,
    deleted_at is not null as deleted from appointments where tenant_id = `,
  student: sql`select id, first_name, last_name, email, phone, birth_date, license_class_template_id,
    preferred_instructor_id, notes, version, deleted_at is not null as deleted from students where tenant_id = `,
  instructor: sql`select id, first_name, last_name, email, phone, color, license_classes, active,
    max_daily_units, max_daily_override, max_weekly_units, max_weekly_override, required_break_minutes,
    max_continuous_minutes, version, false as deleted,
    array(select json_build_object('weekday', weekday, 'start', to_char("start", 'HH24:MI'), 'end', to_char("end", 'HH24:MI'))
      from availability_windows w where w.tenant_id = i.tenant_id and w.instructor_id = i.id order by position) as availability_windows,
    array(select json_build_object('start_date', start_date, 'end_date', end_date, 'note', note)
      from vacations v where v.tenant_id = i.tenant_id and v.instructor_id = i.id order by position) as vacations
    from instructors i where tenant_id = `,
} as const

/**
 * Where the log of a school differs from what is stored: told again from the first change of each resource to its last, by
 * version, it must give the very rows, and say at each step what was there before. A history is in the order of versions.
 */
export async function differencesFromLog(db: Database, tenantId: string): Promise<readonly string[]> {
  const { rows } = await sql<Told>`select resource, resource_id, action, before, after from changes
    where tenant_id = ${tenantId} and resource in ('appointment', 'student', 'instructor') order by changes.at, id`.execute(
    db,
  )
  const histories = Map.groupBy(rows, ({ resource, resource_id }) => `${resource} ${resource_id}`)
  const stored = await storedStates(db, tenantId)
  const missing = [...stored.keys()].filter((name) => !histories.has(name))
  return [
    ...missing.map((name) => `${name} was never told of`),
    ...[...histories].flatMap(([name, history]) =>
      faultsOf(history, stored.get(name)).map((fault) => `${name}: ${fault}`),
    ),
  ]
}

function faultsOf(history: readonly Told[], stored: State | undefined): readonly string[] {
  const versions = history.map(versionOf)
  const ordered = history.toSorted((a, b) => versionOf(a) - versionOf(b))
  const faults = [...ordered.keys()].some((at) => versions[at] !== at + 1) ? [`versions ${versions}`] : []
  let state: State | undefined
  for (const change of ordered) {
    const fault = faultOf(change, state)
    if (fault) faults.push(`${fault} at version ${versionOf(change)}`)
    state = stateAfter(change, state)
  }
  return isSame(state, stored)
    ? faults
    : [...faults, `is ${JSON.stringify(stored)}, was told ${JSON.stringify(state)}`]
}

/** Where a change contradicts the ones before it. */
function faultOf({ action, before, after }: Told, state: State | undefined): string | undefined {
  const isKnown = state !== undefined && !state.deleted
  if (isKnown === (action === 'created' || action === 'restored'))
    return `${action} though it ${isKnown ? 'stood' : 'did not stand'}`
  if (action === 'deleted') return isSame(before, state?.fields) ? undefined : 'deleted as what it was not'
  if (action !== 'changed' || !before || !after || !state) return undefined
  const names = Object.keys(after)
  if (!isSame(Object.keys(before).toSorted(), names.toSorted())) return 'fields on one side only'
  const isRight = names.every((name) => isSame(before[name], state.fields[name]))
  return isRight ? undefined : `was ${JSON.stringify(state.fields)}, changed from ${JSON.stringify(before)}`
}

function stateAfter(change: Told, state: State | undefined): State {
  const fields = { ...state?.fields, ...change.after, version: versionOf(change) }
  return { fields, deleted: change.action === 'deleted' }
}

function versionOf({ before, after }: Told): number {
  return Number(after?.version ?? Number(before?.version) + 1)
}

async function storedStates(db: Database, tenantId: string): Promise<ReadonlyMap<string, State>> {
  const states = new Map<string, State>()
  for (const [resource, select] of Object.entries(TABLES)) {
    const { rows } = await sql<Fields & { id: string; deleted: boolean }>`${select} ${tenantId}`.execute(db)
    for (const { id, deleted, ...fields } of rows) states.set(`${resource} ${id}`, { fields, deleted })
  }
  return states
}

/** Values come from JSON; the order of names does not count. */
function isSame(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b)
}

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}
