import type { QueryClient } from '@tanstack/react-query'
import type { LessonType, LessonTypeChange } from '../../contract/lesson-type.ts'
import { bootstrap } from './bootstrap.ts'
import { refetch } from './patch-read.ts'
import { changing, mergeWrite, type WriteContext } from './write-queue.ts'

/** Changes a lesson type and refetches bootstrap: a move changes other types, and classes contain names. */
const sendChange = changing<LessonType, LessonTypeChange>({
  path: '/lesson-types',
  writePath: '/tenant/lesson-types',
  store: (client) => refetch(client, { queryKey: bootstrap.queryKey }),
})

type Edit = { readonly seen: LessonType; readonly change: LessonTypeChange }

/** Changes fields of a lesson type unless another user has changed the same ones. Throws as `changing` does. */
export function changeLessonType({ seen, change }: Edit, writing: WriteContext): Promise<LessonType> {
  return mergeWrite(seen, { fields: Object.keys(change), change }, (latest) =>
    sendChange({ seen: latest, change }, writing),
  )
}

/** A step up (-1) or down (1). */
export type Step = { readonly id: string; readonly by: -1 | 1 }

/** Moves a lesson type past its neighbour in the cached list. Sends nothing at the end of the list. */
export async function moveLessonType({ id, by }: Step, writing: WriteContext): Promise<void> {
  const all = lessonTypesIn(writing.client)
  const at = all.findIndex((one) => one.id === id)
  const [seen, neighbour] = [all[at], all[at + by]]
  if (seen && neighbour) await sendChange({ seen, change: { position: neighbour.position } }, writing)
}

function lessonTypesIn(client: QueryClient): readonly LessonType[] {
  return client.getQueryData(bootstrap.queryKey)?.lessonTypes ?? []
}
