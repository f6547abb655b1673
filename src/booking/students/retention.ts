import { hash } from 'node:crypto'
import type { Actor } from '../../contract/actor.ts'
import type { Retention } from '../../contract/retention.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { Database } from '../../db/schema/tables.ts'
import {
  countRowsOf,
  type RetainedStudent,
  readRetentionCandidates,
  readRetentionFacts,
} from '../../db/students/retention.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import {
  type EndedEnrolment,
  type RetentionRules,
  recentFrom,
  retentionVerdict,
  unendedEnrolments,
} from '../../domain/retention.ts'
import { localToday } from '../../domain/time-zone.ts'
import { retentionRulesOf } from '../packs/packs.ts'
import { TimeSlicer } from '../time-slicer.ts'

/** Runs a part of the work when it is the school's turn. */
type Read = <T>(part: () => Promise<T>) => Promise<T>

/** A part is read in one statement, which blocks the event loop of the embedded database. */
const STUDENTS_A_PART = 100

type Due = {
  readonly student_id: string
  readonly name: string
  readonly enrolments: readonly EndedEnrolment[]
}
type Found = Pick<Retention, 'partial' | 'kept' | 'unended'> & { readonly due: Due[] }

/** Returns the students whose time is over on a day, by default today, and those who stay. */
export async function previewRetention(
  db: Database,
  actor: Actor,
  on: LocalDate | undefined,
  read: Read,
): Promise<Retention> {
  const { tenant } = actor
  const day = on ?? localToday(actor.now, tenant.timezone)
  const rules = retentionRulesOf(tenant.country)
  const found = await findDue(db, actor, { on: day, rules, read })
  const due: Retention['due'] = []
  for (const part of partsOf(found.due)) {
    const ids = part.map(({ student_id }) => student_id)
    const counts = await read(() => countRowsOf(db, tenant.id, ids))
    due.push(
      ...part.map((one) => ({
        ...one,
        enrolments: [...one.enrolments],
        counts: counts.get(one.student_id) ?? {},
      })),
    )
  }
  const { record, other } = rules
  return { on: day, rule: record && { record, other }, ...found, due, digest: digestOf(found) }
}

/** Returns the number of students whose time is over on a day, wholly or except for the record. */
export async function countDue(db: Database, tenant: Tenant, on: LocalDate): Promise<number> {
  const rules = retentionRulesOf(tenant.country)
  if (!rules.record) return 0
  const { due, partial } = await findDue(db, { tenant }, { on, rules, read: (part) => part() })
  return due.length + partial.length
}

type Search = { readonly on: LocalDate; readonly rules: RetentionRules; readonly read: Read }

async function findDue(
  db: Database,
  { tenant }: Pick<Actor, 'tenant'>,
  { on, rules, read }: Search,
): Promise<Found> {
  const found: Found = { due: [], partial: [], kept: [], unended: [] }
  const slicer = new TimeSlicer()
  const { id: tenantId, timezone } = tenant
  const all = await read(() => readRetentionCandidates(db, { tenantId, ...recentFrom(rules, on) }))
  for (const ids of partsOf(all)) {
    const part = await read(() => readRetentionFacts(db, { tenantId, timezone, on, ids }))
    await slicer.pause()
    for (const facts of part) sort(found, facts, rules, on)
  }
  return found
}

function* partsOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += STUDENTS_A_PART) yield all.slice(at, at + STUDENTS_A_PART)
}

function sort(found: Found, facts: RetainedStudent, rules: RetentionRules, on: LocalDate): void {
  const student = { student_id: facts.id, name: `${facts.first_name} ${facts.last_name}` }
  for (const one of unendedEnrolments(facts, on)) found.unended.push({ ...one, ...student })
  const verdict = retentionVerdict(facts, rules, on)
  if (verdict?.kind === 'due') found.due.push({ ...student, enrolments: verdict.enrolments })
  if (verdict?.kind === 'partial') found.partial.push({ ...student, until: verdict.until })
  if (verdict?.kind === 'kept') found.kept.push({ ...student, reason: verdict.reason, until: verdict.until })
}

function digestOf({ due, partial }: Pick<Found, 'due' | 'partial'>): string {
  const lines = [
    ...due.map(({ student_id }) => `due ${student_id}\n`),
    ...partial.map(({ student_id, until }) => `partial ${student_id} ${until}\n`),
  ]
  return `sha256:${hash('sha256', lines.join(''))}`
}
