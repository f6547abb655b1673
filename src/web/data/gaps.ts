import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Appointment } from '../../contract/appointment.ts'
import type { Candidate, NewOffer, Offer } from '../../contract/offer.ts'
import type { NewWish, Wish } from '../../contract/wish.ts'
import { ask } from './ask.ts'
import { FOLLOWED } from './conditional-get.ts'
import { followedGet } from './followed-get.ts'
import { readAnew } from './patch-read.ts'
import { askOnce, type Writing } from './write-queue.ts'

const KEY = 'gaps'

/** A free time of an instructor. */
export type Gap = Pick<Appointment, 'instructor_id' | 'start_at' | 'end_at'>

/** The students who could have a lesson in a free time. */
export function candidatesFor({ instructor_id, start_at, end_at }: Gap) {
  const path = `/gaps?${new URLSearchParams({ instructor_id, start_at, end_at })}`
  return queryOptions({
    queryKey: [KEY, path],
    queryFn: (context) => followedGet<readonly Candidate[]>(path, context),
    ...FOLLOWED,
  })
}

export const offersOfSchool = queryOptions({
  queryKey: [KEY, 'offers'],
  queryFn: (context) => followedGet<readonly Offer[]>('/offers', context),
  ...FOLLOWED,
})

/** Throws `ApiProblem` or `Unreachable`. */
export async function makeOffers(offers: readonly NewOffer[], { client }: Writing): Promise<void> {
  try {
    for (const offer of offers) await askOnce('/offers', offer)
  } finally {
    await readGapsAnew(client)
  }
}

/** Throws `ApiProblem` or `Unreachable`. */
export async function withdrawOffer({ id }: Pick<Offer, 'id'>, { client }: Writing): Promise<void> {
  await ask(`/offers/${id}`, { method: 'DELETE' })
  await readGapsAnew(client)
}

const wishPath = (studentId: string) => `/students/${studentId}/wishes`

export function wishesOf(studentId: string) {
  return queryOptions({
    queryKey: [KEY, 'wishes', studentId],
    queryFn: (context) => followedGet<readonly Wish[]>(wishPath(studentId), context),
    ...FOLLOWED,
  })
}

type Addition = { readonly studentId: string; readonly wish: NewWish }

/** Throws `ApiProblem` or `Unreachable`. */
export async function addWish({ studentId, wish }: Addition, { client }: Writing): Promise<void> {
  await askOnce(wishPath(studentId), wish)
  await readGapsAnew(client)
}

/** Throws `ApiProblem` or `Unreachable`. */
export async function withdrawWish({ id, student_id }: Wish, { client }: Writing): Promise<void> {
  await ask(`${wishPath(student_id)}/${id}`, { method: 'DELETE' })
  await readGapsAnew(client)
}

function readGapsAnew(client: QueryClient): Promise<void> {
  return readAnew(client, { queryKey: [KEY] })
}
