import { isDeepStrictEqual } from 'node:util'
import type { Resource } from '../../contract/change.ts'
import type { SetChange } from '../../db/log/change-sets.ts'
import type { Reversal } from './reversals.ts'

export type FieldsSince = ReadonlyMap<string, readonly string[]>

const PLACE = ['instructor_id', 'start_at', 'end_at']
const OUTCOME = [
  'status',
  'cancellation',
  'no_show_fee_percent',
  'exam_result',
  'actual_start_at',
  'actual_end_at',
]
const PEOPLE = ['student_id', 'attendees', 'seats']

/** Lists whose entries stand apart: an undo leaves those that others have added. */
const LISTS: ReadonlySet<string> = new Set(['vacations', 'absences'])

type DecidedWith = Readonly<Record<string, readonly string[]>>

const DECIDED_WITH: Partial<Readonly<Record<Resource, DecidedWith>>> = {
  appointment: {
    // A cancellation and a student's confirmation were decided for the lesson where it is now.
    ...decided(PLACE, [...PLACE, 'status', 'cancellation', 'confirmed_at']),
    ...decided(OUTCOME, OUTCOME),
    ...decided(PEOPLE, PEOPLE),
    ...decided(['confirmed_at'], ['confirmed_at', ...PLACE, 'status']),
  },
  enrolment: {
    ...together('outcome', 'ends_on'),
    ...together('template_id', 'license_class', 'law'),
  },
  instructor: {
    ...together('max_daily_units', 'max_daily_override'),
    ...together('max_weekly_units', 'max_weekly_override'),
  },
}

function decided(fields: readonly string[], by: readonly string[]): DecidedWith {
  return Object.fromEntries(fields.map((name) => [name, by]))
}

function together(...fields: readonly string[]): DecidedWith {
  return decided(fields, fields)
}

/** Reduces reversals to fields that nobody has changed since. One without any keeps its old version and is refused. */
export function reducedReversals(
  reversals: readonly Reversal[],
  since: ReadonlyMap<string, readonly SetChange[]>,
): { readonly reversals: readonly Reversal[]; readonly kept: FieldsSince } {
  const kept = new Map<string, readonly string[]>()
  const reduced = reversals.map((original) => {
    const later = since.get(original.id) ?? []
    const end = endOf(original, later)
    if (end === undefined) return original
    if (original.action === 'restore') return { ...original, version: end }
    const lists = mergedLists(original, later)
    const reversal = { ...original, fields: { ...original.fields, ...lists } }
    const changed = changedNames(later).filter((name) => !(name in lists))
    if (reversal.action === 'delete') {
      if (changed.length === 0) return { ...reversal, version: end }
      kept.set(reversal.id, changed)
      return original
    }
    const stays = changed.filter((name) => isInTheWay(reversal, name))
    if (stays.length > 0) kept.set(reversal.id, stays)
    const fields = Object.fromEntries(
      Object.entries(reversal.fields).filter(([name]) => !isDecidedSince(reversal, name, changed)),
    )
    return Object.keys(fields).length > 0 ? { ...reversal, version: end, fields } : original
  })
  return { reversals: reduced, kept }
}

function endOf({ action, version }: Reversal, later: readonly SetChange[]): number | undefined {
  if (later.length === 0) return undefined
  const isRestore = action === 'restore'
  if (isRestore && later.some((one) => one.action !== 'changed') && !isDeletedAgain(later)) return undefined
  let at = version
  for (const { before, after } of later) {
    // A deletion records only the row before it, a restoration only the row after it.
    if (Number(before?.version ?? Number(after?.version) - 1) !== at) return undefined
    at += 1
  }
  return later.at(-1)?.after === null && !isRestore ? undefined : at
}

/** Whether a deleted row was restored and deleted as it was. */
function isDeletedAgain(later: readonly SetChange[]): boolean {
  return later.at(-1)?.action === 'deleted' && changedNames(later).length === 0
}

type Values = Readonly<Record<string, unknown>>

function endsOf(later: readonly SetChange[]): { readonly earlier: Values; readonly now: Values } {
  const earlier: Values = Object.assign({}, ...later.toReversed().map(({ before }) => before))
  const now: Values = Object.assign({}, ...later.map(({ after }) => after))
  return { earlier, now }
}

function mergedLists({ action, fields }: Reversal, later: readonly SetChange[]): Values {
  const { earlier, now } = endsOf(later)
  const names = Object.keys(fields).filter((name) => action === 'change' && LISTS.has(name))
  const merged = names.map((name) => [name, mergedList(fields[name], earlier[name], now[name])] as const)
  return Object.fromEntries(merged.filter(([, list]) => list !== undefined))
}

/** Takes the set's own entries out of a list that has changed since, if they are all still as they were. */
function mergedList(before: unknown, after: unknown, now: unknown): readonly unknown[] | undefined {
  if (!(Array.isArray(before) && Array.isArray(after) && Array.isArray(now))) return undefined
  const has = (list: readonly unknown[], entry: unknown) => list.some((one) => isDeepStrictEqual(one, entry))
  const added = after.filter((one) => !has(before, one))
  const removed = before.filter((one) => !has(after, one))
  if (!added.every((one) => has(now, one)) || removed.some((one) => has(now, one))) return undefined
  return [...now.filter((one) => !has(added, one)), ...removed]
}

function changedNames(later: readonly SetChange[]): readonly string[] {
  const { earlier, now } = endsOf(later)
  const names = Object.keys({ ...earlier, ...now }).filter((name) => name !== 'version')
  return names.filter((name) => !isDeepStrictEqual(earlier[name], now[name]))
}

function isInTheWay(reversal: Reversal, changed: string): boolean {
  return Object.keys(reversal.fields).some((name) => isDecidedSince(reversal, name, [changed]))
}

function isDecidedSince({ resource }: Reversal, name: string, changed: readonly string[]): boolean {
  const by = DECIDED_WITH[resource]?.[name] ?? [name]
  return by.some((one) => changed.includes(one))
}
