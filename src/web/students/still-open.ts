import type { LessonType } from '../../contract/lesson-type.ts'
import type { Progress } from '../../contract/progress.ts'

/** What a class demands and nobody has planned yet, in `count` units; `words` is the sentence for it. */
export type StillOpen = {
  readonly type: LessonType
  readonly words: 'progress.units' | 'progress.block'
  readonly count: number
}

/** All that is open of a student's progress, in the order of the class; nothing while it is not known. */
export function stillOpenIn(
  progress: Progress | undefined,
  lessonType: ReadonlyMap<string, LessonType>,
): readonly StillOpen[] {
  return (progress?.requirements ?? []).flatMap((requirement): readonly StillOpen[] => {
    const type = lessonType.get(requirement.lesson_type_id)
    const { open_units, min_one_block_units } = requirement
    if (type && open_units > 0) return [{ type, words: 'progress.units', count: open_units }]
    if (!type || !lacksBlock(requirement)) return []
    return [{ type, words: 'progress.block', count: min_one_block_units ?? 0 }]
  })
}

/** Whether the units are there, but none of what is planned can be the long lesson among them. */
function lacksBlock({
  block_done,
  planned_units,
  min_one_block_units,
}: Progress['requirements'][number]): boolean {
  return block_done === false && planned_units < (min_one_block_units ?? 0)
}
