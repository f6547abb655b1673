import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Appointment, AppointmentChange, NewAppointment } from '../../contract/appointment.ts'
import { type Interval, intervalOf, overlaps } from '../../domain/interval.ts'
import { dayOf, dayOfMinute, type LocalDate, localDateFor } from '../../domain/local-time.ts'
import { reachOfWeek } from '../../domain/reach.ts'
import { ask } from '../session/ask.ts'
import { conditionalGet } from './conditional-get.ts'
import { POLL } from './poll.ts'
import { askUnchanged, readVersioned, versioned } from './versions.ts'

/** All that the rules look at first for lessons that start in the ISO week: it, and some days before and after. */
export function weekOfAppointments(monday: LocalDate) {
  const { start, end } = reachOf(monday)
  const [from, to] = [localDateFor(dayOfMinute(start)), localDateFor(dayOfMinute(end - 1))]
  return queryOptions({
    queryKey: ['appointments', monday],
    queryFn: ({ signal }) =>
      conditionalGet<readonly Appointment[]>(`/appointments?from=${from}&to=${to}`, signal),
    ...POLL,
  })
}

/** A lesson that may lie in no week that has been read. */
export function oneAppointment(id: string) {
  return queryOptions({
    queryKey: ['appointment', id],
    queryFn: () => readVersioned<Appointment>(`/appointments/${id}`),
  })
}

export async function bookAppointment(body: NewAppointment): Promise<Appointment> {
  return versioned(await ask('/appointments', { method: 'POST', body }))
}

/** Throws `Stale` if the lesson is no longer as it was seen. */
export async function changeAppointment(seen: Appointment, body: AppointmentChange): Promise<Appointment> {
  return versioned(await askUnchanged(addressOf(seen), seen, { method: 'PATCH', body }))
}

/** Throws `Stale` if the lesson is no longer as it was seen. */
export async function deleteAppointment(seen: Appointment): Promise<void> {
  await askUnchanged(addressOf(seen), seen, { method: 'DELETE' })
}

export async function restoreAppointment({ id }: Pick<Appointment, 'id'>): Promise<Appointment> {
  return versioned(await ask(`/appointments/${id}/restore`, { method: 'POST' }))
}

/** Puts what the service has answered into every week that has been read; a read under way is older than it. */
export async function storeAppointment(client: QueryClient, appointment: Appointment): Promise<void> {
  await replaceInWeeks(client, appointment.id, (reach) =>
    overlaps(intervalOf(appointment), reach) ? [appointment] : [],
  )
  client.setQueryData(oneAppointment(appointment.id).queryKey, appointment)
}

export async function dropAppointment(client: QueryClient, id: string): Promise<void> {
  await replaceInWeeks(client, id, () => [])
  client.removeQueries({ queryKey: oneAppointment(id).queryKey })
}

async function replaceInWeeks(
  client: QueryClient,
  id: string,
  insteadIn: (reach: Interval) => readonly Appointment[],
): Promise<void> {
  await client.cancelQueries({ queryKey: ['appointments'] })
  for (const [key, list] of client.getQueriesData<readonly Appointment[]>({ queryKey: ['appointments'] })) {
    const others = list?.filter((appointment) => appointment.id !== id)
    const inPlace = others && [...others, ...insteadIn(reachOf(String(key[1])))]
    client.setQueryData(
      key,
      inPlace?.toSorted((a, b) => (`${a.start_at} ${a.id}` < `${b.start_at} ${b.id}` ? -1 : 1)),
    )
  }
  void client.invalidateQueries({ queryKey: ['appointments'] })
  void client.invalidateQueries({ queryKey: ['appointments of student'] })
}

function reachOf(monday: LocalDate): Interval {
  return reachOfWeek(dayOf(monday))
}

function addressOf({ id }: Appointment): string {
  return `/appointments/${id}`
}
