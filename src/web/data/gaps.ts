import type { QueryClient } from '@tanstack/react-query'
import type { Appointment } from '../../contract/appointment.ts'
import type { Candidate, NewOffer, Offer } from '../../contract/offer.ts'
import type { NewWish, Wish } from '../../contract/wish.ts'
import { fetchApi } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { refetch } from './patch-read.ts'
import { postOnce, type WriteContext } from './write-queue.ts'

const KEY = 'gaps'

/** A free time of an instructor. */
export type FreeTime = Pick<Appointment, 'instructor_id' | 'start_at' | 'end_at'>

/** Queries the students who could have a lesson in a free time. */
export function candidatesFor({ instructor_id, start_at, end_at }: FreeTime) {
  const path = `/gaps?${new URLSearchParams({ instructor_id, start_at, end_at })}`
  // Seconds pass until this tab's own booking is followed.
  return { ...followedQuery<readonly Candidate[]>([KEY, path], path), refetchOnMount: 'always' } as const
}

export const offersOfSchool = followedQuery<readonly Offer[]>([KEY, 'offers'], '/offers')

/** Throws `ApiProblem` or `Unreachable`. */
export async function makeOffers(offers: readonly NewOffer[], { client }: WriteContext): Promise<void> {
  try {
    for (const offer of offers) await postOnce('/offers', offer)
  } finally {
    await refetchGaps(client)
  }
}

/** Throws `ApiProblem` or `Unreachable`. */
export async function withdrawOffer({ id }: Pick<Offer, 'id'>, { client }: WriteContext): Promise<void> {
  await fetchApi(`/offers/${id}`, { method: 'DELETE' })
  await refetchGaps(client)
}

const wishPath = (studentId: string) => `/students/${studentId}/wishes`

export function wishesOf(studentId: string) {
  return followedQuery<readonly Wish[]>([KEY, 'wishes', studentId], wishPath(studentId))
}

type Addition = { readonly studentId: string; readonly wish: NewWish }

/** Throws `ApiProblem` or `Unreachable`. */
export async function addWish({ studentId, wish }: Addition, { client }: WriteContext): Promise<void> {
  await postOnce(wishPath(studentId), wish)
  await refetchGaps(client)
}

/** Throws `ApiProblem` or `Unreachable`. */
export async function withdrawWish({ id, student_id }: Wish, { client }: WriteContext): Promise<void> {
  await fetchApi(`${wishPath(student_id)}/${id}`, { method: 'DELETE' })
  await refetchGaps(client)
}

function refetchGaps(client: QueryClient): Promise<void> {
  return refetch(client, { queryKey: [KEY] })
}
