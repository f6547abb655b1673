import { creditsFor } from '../../contract/credit.ts'
import type { OpeningBalance, OpeningEntry } from '../../contract/opening-balance.ts'
import type { DuplicateEntry, ImportedEntry } from '../../contract/opening-balance-import.ts'
import { invalidRequest, notFound } from '../../contract/problem.ts'
import type { Database } from '../../db/schema/tables.ts'
import { lockEnrolmentsOf } from '../../db/students/enrolments.ts'
import {
  BALANCES_A_STATEMENT,
  readOpeningBalances,
  updateCredits,
} from '../../db/students/opening-balances.ts'
import { lockStudents } from '../../db/students/student-sets.ts'
import { MAX_OPENING_ENTRIES } from '../../domain/ranges.ts'
import type { Steps } from '../../domain/steps.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import type { ImportLine, PlanImport } from './import-lines.ts'

type EntryLine = ImportLine<ImportedEntry>

/** Adds entries to balances. Throws `not_found` if a student has been deleted, and `invalid_request` for too many entries. */
export const planOpeningBalances: PlanImport<ImportedEntry> = async ({ db, actor, lines, slicer }) => {
  const locked = []
  const enrolled = []
  for (const ids of idsInParts(lines)) {
    await slicer.pause()
    locked.push(...(await lockStudents(db, actor.tenant.id, ids)))
    enrolled.push(...(await lockEnrolmentsOf(db, actor.tenant.id, ids)))
  }
  const current = new Map(enrolled.filter((one) => one.is_current).map((one) => [one.student_id, one]))
  const students = new Map(locked.filter(({ deleted }) => !deleted).map((one) => [one.id, one]))
  if (!lines.every(({ value }) => students.has(value.student_id))) throw notFound()
  return {
    duplicates: await slicer.run(duplicateEntriesIn(lines, students)),
    write: async (wanted) => {
      const byStudent = Map.groupBy(wanted, ({ value }) => value.student_id)
      const additions = [...students.values()].flatMap((student) => {
        const added = byStudent.get(student.id) ?? []
        const balance = [...student.opening_balance, ...added.map(({ value }) => entryOf(value))]
        requireRoom(balance, added)
        const enrolment = current.get(student.id)
        const credits = creditsFor(balance, enrolment?.credits)
        return added.length === 0 ? [] : [{ student, enrolment, credits }]
      })
      for (let at = 0; at < additions.length; at += BALANCES_A_STATEMENT) {
        await slicer.pause()
        await updateCredits(db, actor, additions.slice(at, at + BALANCES_A_STATEMENT))
      }
    },
  }
}

export async function findDuplicateEntries(
  db: Database,
  tenantId: string,
  lines: readonly EntryLine[],
  slicer: TimeSlicer,
): Promise<DuplicateEntry[]> {
  const students = []
  for (const ids of idsInParts(lines)) {
    await slicer.pause()
    students.push(...(await readOpeningBalances(db, tenantId, ids)))
  }
  return slicer.run(duplicateEntriesIn(lines, new Map(students.map((one) => [one.id, one]))))
}

type Balances = ReadonlyMap<string, { readonly opening_balance: OpeningBalance }>

/** Finds duplicates. Each stored entry makes only one line a duplicate, so a file may have an entry twice. */
export function* duplicateEntriesIn(
  lines: readonly EntryLine[],
  students: Balances,
): Steps<DuplicateEntry[]> {
  const left = new Map<string, OpeningEntry[]>()
  for (const [id, { opening_balance }] of students) {
    for (const entry of opening_balance) {
      const key = keyOf(id, entry)
      left.set(key, [...(left.get(key) ?? []), entry])
    }
    yield
  }
  const duplicates: DuplicateEntry[] = []
  for (const { line, value } of lines) {
    yield
    const stored = left.get(keyOf(value.student_id, value)) ?? []
    const alike = stored.findIndex(({ units }) => units === value.units)
    const [found] = stored.splice(Math.max(0, alike), 1)
    if (!found) continue
    const { first_name, last_name } = value
    const likeness = alike < 0 ? ('other_units' as const) : ('same' as const)
    duplicates.push({ line, first_name, last_name, likeness, units: found.units })
  }
  return duplicates
}

function keyOf(studentId: string, { lesson_type_id, date, source }: OpeningEntry): string {
  return JSON.stringify([studentId, lesson_type_id, date, source])
}

function entryOf({ lesson_type_id, units, date, source }: ImportedEntry): OpeningEntry {
  return { lesson_type_id, units, date, source }
}

function requireRoom(balance: OpeningBalance, added: readonly EntryLine[]): void {
  const over = added.at(MAX_OPENING_ENTRIES - balance.length)
  if (balance.length <= MAX_OPENING_ENTRIES || !over) return
  const detail = `Line ${over.line}: A student has at most ${MAX_OPENING_ENTRIES} entries.`
  throw invalidRequest([{ pointer: `/file/${over.line}`, code: 'too_many', detail }])
}

function* idsInParts(lines: readonly EntryLine[]): Generator<readonly string[]> {
  const ids = [...new Set(lines.map(({ value }) => value.student_id))].toSorted()
  for (let at = 0; at < ids.length; at += BALANCES_A_STATEMENT) yield ids.slice(at, at + BALANCES_A_STATEMENT)
}
