import { lockSession } from '../auth/lock-session.ts'
import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import { invalidRequest, notFound } from '../contract/problem.ts'
import type { NewWish, Wish } from '../contract/wish.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import { hasInstructor } from '../db/instructors.ts'
import { findLessonType } from '../db/lesson-types.ts'
import { insertRow, lockRows, updateRow } from '../db/resource-rows.ts'
import type { Transaction } from '../db/schema/tables.ts'
import { lockStudent } from '../db/students.ts'
import { countWishes, listWishesOf, WISHES } from '../db/wishes.ts'
import { MAX_WISHES } from '../domain/ranges.ts'
import { localToday } from '../domain/time-zone.ts'
import { renewAnsweredWishes } from './answered-wishes.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'
import { commitOnce } from './idempotent.ts'

const BLANK = {
  weekdays: null,
  time_from: null,
  time_to: null,
  lesson_type_id: null,
  instructor_id: null,
  until: null,
}

type Wanted = {
  readonly wish: NewWish
  readonly key?: IdempotencyKey | undefined
  /** Whether to return an equal wish of the student instead of adding one: a form may be sent twice. */
  readonly isNew?: boolean
}

/** Adds a wish of a student. Throws `not_found`, and `invalid_request` if there are too many. Fails if the key is taken. */
export async function addWish(
  database: DatabasePool,
  actor: Actor,
  student_id: string,
  { wish, key, isNew = false }: Wanted,
): Promise<Wish> {
  return inTransaction(database, async (db, commitWith) => {
    await lockLiveStudent(db, actor, student_id)
    const { lesson_type_id, instructor_id } = wish
    if (lesson_type_id && !(await findLessonType(db, actor.tenant.id, lesson_type_id))) throw notFound()
    if (instructor_id && !(await hasInstructor(db, actor.tenant.id, instructor_id))) throw notFound()
    const weekdays = wish.weekdays?.toSorted((a, b) => a - b) ?? null
    const wanted = { ...BLANK, ...wish, weekdays }
    const known = isNew
      ? (await listWishesOf(db, actor.tenant.id, [student_id])).find(isLike(wanted))
      : undefined
    if (known) return known
    await withdrawRunOut(db, actor, student_id)
    if (!(await hasRoom(db, actor, student_id))) {
      const detail = `A student has at most ${MAX_WISHES} wishes.`
      throw invalidRequest([{ pointer: '', code: 'too_many', detail }])
    }
    await lockSession(db, actor)
    const stored = insertRow(db, actor, WISHES, { ...wanted, student_id, id: newId() })
    return commitOnce({ db, actor, commitWith }, key, stored)
  })
}

/** Withdraws the expired wishes of a locked student, which would otherwise accumulate. */
async function withdrawRunOut(db: Transaction, actor: Actor, student_id: string): Promise<void> {
  const today = localToday(actor.now, actor.tenant.timezone)
  const wishes = await listWishesOf(db, actor.tenant.id, [student_id])
  const over = wishes.filter(({ until }) => until !== null && until < today)
  if (over.length === 0) return
  const ids = over.map(({ id }) => id)
  for (const wish of await lockRows(db, actor.tenant.id, WISHES, ids))
    await updateRow(db, actor, WISHES, { stored: wish, next: { ...wish, deleted: true } })
}

function isLike(wanted: Readonly<Record<keyof typeof BLANK, unknown>> & Pick<Wish, 'minutes'>) {
  const names = [...(Object.keys(BLANK) as (keyof typeof BLANK)[]), 'minutes'] as const
  return (wish: Wish) => names.every((name) => JSON.stringify(wish[name]) === JSON.stringify(wanted[name]))
}

type Named = { readonly student_id: string; readonly wish_id: string; readonly isExpected: ExpectedVersion }

/** Withdraws a wish. Its offers end for the student unless they match another wish. Throws `not_found` and `stale`. */
export async function withdrawWish(
  database: DatabasePool,
  actor: Actor,
  { student_id, wish_id, isExpected }: Named,
): Promise<void> {
  await inTransaction(database, async (db) => {
    await lockLiveStudent(db, actor, student_id)
    const [stored] = await lockRows(db, actor.tenant.id, WISHES, [wish_id])
    if (!stored || stored.deleted || stored.student_id !== student_id) throw notFound()
    requireExpected(isExpected, stored)
    await lockSession(db, actor)
    await updateRow(db, actor, WISHES, { stored, next: { ...stored, deleted: true } })
    await renewAnsweredWishes(db, actor, [student_id])
  })
}

export async function hasRoom(db: Transaction, { tenant, now }: Actor, student_id: string): Promise<boolean> {
  const today = localToday(now, tenant.timezone)
  return (await countWishes(db, tenant.id, { student_id, today })) < MAX_WISHES
}

async function lockLiveStudent(db: Transaction, { tenant }: Actor, id: string): Promise<void> {
  const student = await lockStudent(db, tenant.id, id)
  if (!student || student.deleted) throw notFound()
}
