import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/problem.ts'
import type { NewWish, Wish } from '../../contract/wish.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { blankOf, lockRows, updateRow } from '../../db/resource-rows.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { hasInstructor } from '../../db/school/instructors.ts'
import { findLessonType } from '../../db/school/lesson-types.ts'
import { lockStudent } from '../../db/students/students.ts'
import { countWishes, listStudentsOfWishes, listWishesOf, WISHES } from '../../db/students/wishes.ts'
import { MAX_WISHES } from '../../domain/ranges.ts'
import { localToday } from '../../domain/time-zone.ts'
import { type ExpectedVersion, requireExpected } from '../expected-version.ts'
import { commitOnce } from '../idempotent.ts'
import { type Given, insertNew, type ManagedResource } from '../managed-resource.ts'
import { renewAnsweredWishes } from './answered-wishes.ts'

export const MANAGED_WISHES: ManagedResource<Wish> = {
  rows: WISHES,
  limit: {
    detail: `A student has at most ${MAX_WISHES} wishes.`,
    isReached: async (db, { tenant, now }, { student_id = '' }) => {
      const today = localToday(now, tenant.timezone)
      return (await countWishes(db, tenant.id, { student_id, today })) >= MAX_WISHES
    },
    code: 'too_many',
  },
  lock: async () => undefined,
  afterUndo: async (db, actor, ids) =>
    renewAnsweredWishes(db, actor, await listStudentsOfWishes(db, actor.tenant.id, ids)),
}

type WishRequest = {
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
  { wish, key, isNew = false }: WishRequest,
): Promise<Wish> {
  return inTransaction(database, async (db, commitWith) => {
    await lockLiveStudent(db, actor, student_id)
    const { lesson_type_id, instructor_id } = wish
    if (lesson_type_id && !(await findLessonType(db, actor.tenant.id, lesson_type_id))) throw notFound()
    if (instructor_id && !(await hasInstructor(db, actor.tenant.id, instructor_id))) throw notFound()
    const weekdays = wish.weekdays?.toSorted((a, b) => a - b) ?? null
    const wanted = { ...blankOf(WISHES), ...wish, student_id, weekdays } as Given<Wish>
    const known = isNew
      ? (await listWishesOf(db, actor.tenant.id, [student_id])).find(isLike(wanted))
      : undefined
    if (known) return known
    await withdrawRunOut(db, actor, student_id)
    await lockSession(db, actor)
    return commitOnce({ db, actor, commitWith }, key, insertNew(db, actor, MANAGED_WISHES, wanted))
  })
}

/** Withdraws expired wishes, which would otherwise accumulate. */
async function withdrawRunOut(db: Transaction, actor: Actor, student_id: string): Promise<void> {
  const today = localToday(actor.now, actor.tenant.timezone)
  const wishes = await listWishesOf(db, actor.tenant.id, [student_id])
  const over = wishes.filter(({ until }) => until !== null && until < today)
  if (over.length === 0) return
  const ids = over.map(({ id }) => id)
  for (const wish of await lockRows(db, actor.tenant.id, WISHES, ids))
    await updateRow(db, actor, WISHES, { stored: wish, next: { ...wish, deleted: true } })
}

function isLike(wanted: Given<Wish>) {
  const names = Object.keys(wanted) as (keyof Given<Wish>)[]
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

/** Locks a student who is not deleted. Throws `not_found`. */
export async function lockLiveStudent(db: Transaction, { tenant }: Actor, id: string): Promise<void> {
  const student = await lockStudent(db, tenant.id, id)
  if (!student || student.deleted) throw notFound()
}
