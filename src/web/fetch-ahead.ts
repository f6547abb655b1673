import type { QueryClient } from '@tanstack/react-query'
import type { AnyRoute } from '@tanstack/react-router'
import { type LocalDate, mondayOf } from '../domain/local-time.ts'
import { localToday } from '../domain/time-zone.ts'
import { lessonsOfDay, weekOfAppointments } from './data/appointments.ts'
import { bootstrap, isFollower, isProbablyFollower } from './data/bootstrap.ts'
import { position } from './data/position.ts'
import { hasBegun } from './data/session.ts'

/** The routes of the page that is opened, outermost first, and the day in its address. */
type Opened = { readonly routes: readonly AnyRoute[]; readonly date: LocalDate | undefined }

/** Fetches the page's code beside its texts. One after another they would take a round trip each. */
export function fetchCodeAhead({ routes }: Opened): void {
  for (const { options } of routes) void options.component?.preload?.()
}

/** Fetches the school and the lessons for the first paint, beside the page's code and texts. */
export function fetchDataAhead(client: QueryClient, { routes, date }: Opened): void {
  const isOpen = routes.some(({ options }) => options.staticData?.isOpen)
  if (isOpen || !hasBegun()) return
  const page = routes.at(-1)?.id ?? ''
  void fetchLessons(client, page, date)
  if (isProbablyFollower()) void client.prefetchQuery(position)
}

/** Fetches the school, then the lessons that the page shows first. */
async function fetchLessons(client: QueryClient, page: string, date: LocalDate | undefined): Promise<void> {
  const school = await client.ensureQueryData(bootstrap).catch(() => undefined)
  if (!school) return
  const { tenant, user } = school
  const day = date ?? localToday(new Date(), tenant.timezone)
  if (page === '/' && isFollower(school)) await client.prefetchQuery(weekOfAppointments(mondayOf(day)))
  if (page === '/today' && user.instructor_id)
    await client.prefetchQuery(lessonsOfDay(user.instructor_id, day))
}
