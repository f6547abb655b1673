import type { Actor } from '../../contract/actor.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { listLinksWithoutWish, setAnsweredWish } from '../../db/students/answered-wishes.ts'
import { listWishesOf } from '../../db/students/wishes.ts'
import { answersWish } from '../../domain/gaps.ts'

/** Links open offers whose wish was withdrawn to the longest other wish that they match. Lock the students first. */
export async function renewAnsweredWishes(
  db: Transaction,
  { tenant }: Actor,
  studentIds: readonly string[],
): Promise<void> {
  const links = await listLinksWithoutWish(db, tenant.id, studentIds)
  if (links.length === 0) return
  const wishes = await listWishesOf(db, tenant.id, studentIds)
  for (const link of links) {
    const next = wishes.find(
      (wish) =>
        wish.student_id === link.student_id && wish.created_at <= link.created_at && answersWish(wish, link),
    )
    if (next) await setAnsweredWish(db, tenant.id, { ...link, wish_id: next.id })
  }
}
