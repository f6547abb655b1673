import { lockLessonTypes, updateLessonTypes } from '../db/lesson-types.ts'
import type { Undoing } from './undoing.ts'

/** Restores earlier values of lesson types in one write, since each takes a position that another one leaves. */
export async function undoLessonTypes(undoing: Undoing): Promise<void> {
  const { db, actor } = undoing
  const reversals = undoing.take('lesson_type')
  if (reversals.length === 0) return
  const all = await lockLessonTypes(db, actor.tenant.id)
  const versions = new Map(all.map(({ id, version }) => [id, version]))
  const current = reversals.filter(({ id, version }) => versions.get(id) === version)
  const fields = new Map(current.map((one) => [one.id, one.fields]))
  const replacements = all.map((stored) => ({ stored, next: { ...stored, ...fields.get(stored.id) } }))
  // A position taken since belongs to its present type.
  const isApart = new Set(replacements.map(({ next }) => next.position)).size === all.length
  if (isApart) await updateLessonTypes(db, actor, replacements)
  for (const reversal of reversals) {
    if (isApart && fields.has(reversal.id)) undoing.done(reversal)
    else undoing.refuse(reversal, 'changed_since')
  }
}
