import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import { newId } from '../../contract/new-id.ts'
import { invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { type NewTick, type StoredTick, tickFaultsFor } from '../../contract/tick.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { finishedLaterList, type JsonList } from '../../db/json-list.ts'
import { insertRow, updateRow } from '../../db/resource-rows.ts'
import type { Database, Transaction } from '../../db/schema/tables.ts'
import { findEnrolment } from '../../db/students/enrolments.ts'
import { lockStudent } from '../../db/students/students.ts'
import {
  hasTick,
  readCurrentPapers,
  readPapers,
  type StoredPapers,
  TICKS,
  ticksVersion,
} from '../../db/students/ticks.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { type Readiness, withPapers } from '../../domain/readiness.ts'
import {
  type Tick,
  type TickKind,
  type TickRule,
  ticksOf,
  ticksSummaryOf,
  validUntil,
} from '../../domain/ticks.ts'
import { localToday } from '../../domain/time-zone.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { examRulesOf, tickRulesOf } from '../packs/packs.ts'

export type NamedTick = { readonly enrolment_id: string; readonly kind: TickKind }

/** Returns the ticks of an enrolment that exists, in the order of the country's pack. */
export async function listTicks(
  db: Database,
  { tenant, now }: Actor,
  enrolment_id: string,
): Promise<readonly Tick[]> {
  const papers = await readPapers(db, tenant.id, enrolment_id)
  return statesOf(tenant.country, papers, localToday(now, tenant.timezone))
}

/**
 * Enters a tick or replaces the one entered before, and returns it. Throws `not_found` if the class has none of the kind,
 * `invalid_request`, and `from_appointment` if an exam has made it.
 */
export async function writeTick(
  database: DatabasePool,
  actor: Actor,
  { enrolment_id, kind }: NamedTick,
  given: NewTick,
): Promise<Tick> {
  const today = localToday(actor.now, actor.tenant.timezone)
  return inTransaction(database, async (db) => {
    const { student_id, papers, rule } = await lockTick(db, actor, { enrolment_id, kind })
    const { date, valid_until = validUntil(rule, date), note = null } = given
    const faults = tickFaultsFor({ ...given, valid_until }, today)
    if (faults.length > 0) throw invalidRequest([...faults])
    await lockSession(db, actor)
    const stored = papers.stored.find((one) => one.kind === kind)
    const fields = { date, valid_until, note }
    if (stored) await updateRow(db, actor, TICKS, { stored, next: { ...stored, ...fields } })
    else await insertRow(db, actor, TICKS, { id: newId(), student_id, enrolment_id, kind, ...fields })
    const after = await readPapers(db, actor.tenant.id, enrolment_id)
    return requireTick(statesOf(actor.tenant.country, after, today), kind)
  })
}

/** Deletes a tick that a person has entered. Throws `not_found`, and `from_appointment` if an exam has made it. */
export async function deleteTick(database: DatabasePool, actor: Actor, named: NamedTick): Promise<void> {
  await inTransaction(database, async (db) => {
    const { papers } = await lockTick(db, actor, named)
    const stored = papers.stored.find((one) => one.kind === named.kind)
    if (!stored) throw notFound()
    await lockSession(db, actor)
    await updateRow(db, actor, TICKS, { stored, next: { ...stored, deleted: true } })
  })
}

type Listing = {
  readonly db: Database
  readonly tenant: Tenant
  readonly today: LocalDate
  /** Whether to add the missing ones and the next to expire. */
  readonly withTicks: boolean
}

/** Finishes a list of students with the papers of their current enrolments: the readiness, if it has one, and the ticks in brief. */
export function listWithPapers(list: JsonList, { db, tenant, today, withTicks }: Listing): JsonList {
  const { training_years } = examRulesOf(tenant.country)
  const finished = finishedLaterList<{ readonly id: string; readonly readiness?: Readiness }>(
    list,
    async (rows) => {
      const byStudent = await readCurrentPapers(
        db,
        tenant.id,
        rows.map(({ id }) => id),
      )
      return rows.map(({ readiness, ...row }) => {
        const own = byStudent.get(row.id)
        const ticks = own ? statesOf(tenant.country, own, today) : []
        const { theory_ended_on = null, practice_ended_on = null } = own ?? {}
        const papers = { ticks, theory_ended_on, practice_ended_on, training_years }
        return {
          ...row,
          ...(readiness && { readiness: withPapers(readiness, papers, today) }),
          ...(withTicks && { ticks: ticksSummaryOf(ticks) }),
        }
      })
    },
  )
  const outline = async () => {
    const { digest, pages } = await list.outline()
    return { digest: `${digest} ${today} ${await ticksVersion(db, tenant.id)}`, pages }
  }
  return { ...finished, outline }
}

/** Undoes writes of ticks. Lock their students first. */
export const MANAGED_TICKS: ManagedResource<StoredTick> = {
  rows: TICKS,
  lock: async () => undefined,
  restorable: async (db, { tenant }, stored) => {
    if (await hasTick(db, tenant.id, stored)) throw new Problem('stale')
    return stored
  },
}

type LockedTick = { readonly student_id: string; readonly papers: StoredPapers; readonly rule: TickRule }

/** Locks the student of an enrolment. Throws `not_found` if the class has no such tick, and `from_appointment`. */
async function lockTick(
  db: Transaction,
  actor: Actor,
  { enrolment_id, kind }: NamedTick,
): Promise<LockedTick> {
  const { tenant, now } = actor
  const enrolment = await findEnrolment(db, tenant.id, enrolment_id)
  if (!enrolment) throw notFound()
  const student = await lockStudent(db, tenant.id, enrolment.student_id)
  if (!student || student.deleted || !(await findEnrolment(db, tenant.id, enrolment_id))) throw notFound()
  const papers = await readPapers(db, tenant.id, enrolment_id)
  const rule = tickRulesOf(tenant.country, papers.license_class).find((one) => one.kind === kind)
  const tick = statesOf(tenant.country, papers, localToday(now, tenant.timezone)).find(
    (one) => one.kind === kind,
  )
  if (!rule || !tick) throw notFound()
  if (tick.source === 'appointment') throw new Problem('from_appointment', { params: { kind } })
  return { student_id: student.id, papers, rule }
}

function statesOf(country: string, papers: StoredPapers, today: LocalDate): readonly Tick[] {
  return ticksOf({ ...papers, rules: tickRulesOf(country, papers.license_class) }, today)
}

function requireTick(ticks: readonly Tick[], kind: TickKind): Tick {
  const tick = ticks.find((one) => one.kind === kind)
  if (!tick) throw notFound()
  return tick
}
