import { canonicalJson } from '../contract/canonical-json.ts'
import type { Change } from '../contract/change.ts'
import type { Fact } from './finding.ts'
import type { StoredState } from './stored-states.ts'

type LoggedChange = Pick<Change, 'action' | 'before' | 'after'>
type Fields = Readonly<Record<string, unknown>>
type Fault = Pick<Fact, 'code' | 'params'>

/** The state of a resource according to the log. Erased values are unknown. */
type State = { readonly fields: Fields; readonly stands: boolean }

/** Returns only the first fault in a history: after a missing version, all later changes are doubtful. */
export function faultIn(
  history: readonly LoggedChange[],
  stored: StoredState | undefined,
): Fault | undefined {
  if (history.some(({ action }) => action === 'erased'))
    return stored && { code: 'history_differs', params: { fields: ['erased'] } }
  const ordered = history.toSorted((a, b) => versionOf(a) - versionOf(b))
  const version = versionOf(ordered.at(-1))
  if (!stored) return { code: 'row_missing', params: { version } }
  return (
    gapIn(ordered, stored) ??
    contradictionIn(ordered, stored) ??
    differenceFrom(ordered, stored) ??
    disorderIn(history)
  )
}

const MAX_MISSING = 10

/** Returns the missing versions: every write, from version 1 on, increments the version and is logged. */
function gapIn(ordered: readonly LoggedChange[], { version, is_older }: StoredState): Fault | undefined {
  const versions = new Set(ordered.map(versionOf))
  const missing: number[] = []
  const first = is_older ? versionOf(ordered[0]) : 1
  for (let one = first; one <= version && missing.length < MAX_MISSING; one += 1)
    if (!versions.has(one)) missing.push(one)
  return missing.length > 0 ? { code: 'history_gap', params: { version, missing } } : undefined
}

function contradictionIn(ordered: readonly LoggedChange[], { is_older }: StoredState): Fault | undefined {
  let state: State | undefined = is_older && ordered[0]?.action !== 'created' ? undefined : NOTHING
  for (const change of ordered) {
    const fields = state ? contradictedBy(change, state) : []
    if (fields.length > 0)
      return { code: 'history_contradicts', params: { version: versionOf(change), fields } }
    state = stateAfter(change, state)
  }
  const twice = ordered.find((change, at) => at > 0 && versionOf(ordered[at - 1]) === versionOf(change))
  return twice && { code: 'history_contradicts', params: { version: versionOf(twice), fields: ['version'] } }
}

function differenceFrom(ordered: readonly LoggedChange[], stored: StoredState): Fault | undefined {
  let state: State | undefined
  for (const change of ordered) state = stateAfter(change, state)
  const fields = differing(state?.fields ?? {}, stored.fields)
  if (versionOf(ordered.at(-1)) !== stored.version) fields.push('version')
  if (state && state.stands === stored.deleted) fields.push('deleted')
  return fields.length > 0 ? { code: 'history_differs', params: { fields } } : undefined
}

function disorderIn(history: readonly LoggedChange[]): Fault | undefined {
  const versions = history.map(versionOf)
  const isOrdered = versions.every((version, at) => at === 0 || (versions[at - 1] ?? 0) < version)
  return isOrdered ? undefined : { code: 'history_out_of_order', params: { versions } }
}

const NOTHING: State = { fields: {}, stands: false }

/** Returns the fields whose `before` differs from the state after earlier changes. */
function contradictedBy({ action, before, after }: LoggedChange, state: State): readonly string[] {
  const beginsNew = action === 'created' || action === 'restored'
  if (beginsNew === state.stands && !isOfHidden(action, after)) return ['deleted']
  if (action !== 'changed' && action !== 'deleted') return []
  const sides = action === 'changed' && before && after ? differentNames(before, after) : []
  return [...differing(before ?? {}, state.fields), ...sides]
}

/** The fields that change while a student is deleted, and, by a merge, those of a deleted lesson. */
const HIDDEN_FIELDS: readonly string[] = [
  ...['version', 'hold_reason', 'hold_until', 'restriction'],
  ...['student_id', 'enrolment_id', 'attendees'],
]

function isOfHidden(action: LoggedChange['action'], after: Fields | null): boolean {
  return (
    action === 'changed' && after !== null && Object.keys(after).every((name) => HIDDEN_FIELDS.includes(name))
  )
}

const ERASED: readonly string[] = ['student_id', 'enrolment_id']

/** Returns the fields missing from `after`: both sides have the same fields, except for an erased student's ids. */
function differentNames(before: Fields, after: Fields): readonly string[] {
  return Object.keys(before).filter((name) => !ERASED.includes(name) && !(name in after))
}

function stateAfter(change: LoggedChange, state: State | undefined): State {
  const { version: _, ...fields } = { ...state?.fields, ...change.after }
  return { fields, stands: change.action === 'changed' && state ? state.stands : change.action !== 'deleted' }
}

function differing(logged: Fields, stored: Fields): string[] {
  return Object.keys(logged).filter(
    (name) =>
      name !== 'version' &&
      name in stored &&
      canonicalJson(logged[name]) !== canonicalJson(asLogged(stored[name], logged[name])),
  )
}

/** Returns a stored value without the enrolments of attendees that a log of an older release lacks. */
function asLogged(stored: unknown, logged: unknown): unknown {
  if (!Array.isArray(stored) || !Array.isArray(logged)) return stored
  return stored.map((entry, at) => {
    if (!isEntry(entry) || !isEntry(logged[at]) || 'enrolment_id' in logged[at]) return entry
    const { enrolment_id: _, ...others } = entry
    return others
  })
}

function isEntry(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function versionOf(change: LoggedChange | undefined): number {
  return Number(change?.after?.version ?? Number(change?.before?.version) + 1)
}
