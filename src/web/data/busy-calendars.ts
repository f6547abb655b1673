import { queryOptions } from '@tanstack/react-query'
import type { BusyCalendar, NewBusyCalendar } from '../../contract/busy-calendar.ts'
import { conditionalGet } from './conditional-get.ts'
import { fetchApi } from './fetch-api.ts'
import { refetch } from './patch-read.ts'
import { bodyOf } from './send.ts'
import { postOnce, type WriteContext } from './write-queue.ts'

const KEY = 'busy_calendars'

const pathOf = (instructorId: string) => `/instructors/${instructorId}/busy-calendars`

/** Queries an instructor's calendars; refetched while they are shown, because their state is not in the feed. */
export function busyCalendarsOf(instructorId: string) {
  return queryOptions({
    queryKey: [KEY, instructorId],
    queryFn: (context) => conditionalGet<readonly BusyCalendar[]>(pathOf(instructorId), context),
    refetchInterval: 5_000,
  })
}

type Adding = NewBusyCalendar & { readonly instructorId: string }

/** Adds a calendar. `webcal:` is how calendar programs write an address of `https:`. Throws `ApiProblem` or `Unreachable`. */
export async function addBusyCalendar(
  { instructorId, name, url }: Adding,
  { client }: WriteContext,
): Promise<BusyCalendar> {
  const answer = await postOnce(pathOf(instructorId), { name, url: url.replace(/^webcals?:/i, 'https:') })
  const made: BusyCalendar = await bodyOf(answer)
  await refetch(client, { queryKey: [KEY] })
  return made
}

/** Deletes a calendar. Throws `ApiProblem` or `Unreachable`. */
export async function deleteBusyCalendar(
  { instructorId, id }: { readonly instructorId: string; readonly id: string },
  { client }: WriteContext,
): Promise<void> {
  await fetchApi(`${pathOf(instructorId)}/${id}`, { method: 'DELETE' })
  await refetch(client, { queryKey: [KEY] })
}
