import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Appointment, AppointmentChange, NewAppointment } from '../../contract/appointment.ts'
import { dayOf, type LocalDate, localDateFor } from '../../domain/local-time.ts'
import { ask } from '../session/ask.ts'
import { conditionalGet } from './conditional-get.ts'
import { POLL } from './poll.ts'
import { askUnchanged, readVersioned, versioned } from './versions.ts'

/** All that the rules ask about lessons of the ISO week: it, and the day before and after. */
export function weekOfAppointments(monday: LocalDate) {
  const { from, to } = rangeOf(monday)
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
  await replaceInWeeks(client, appointment.id, ({ from, to }) =>
    appointment.end_at > from && appointment.start_at < `${to} 24:00` ? [appointment] : [],
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
  insteadIn: (range: ReturnType<typeof rangeOf>) => readonly Appointment[],
): Promise<void> {
  await client.cancelQueries({ queryKey: ['appointments'] })
  for (const [key, list] of client.getQueriesData<readonly Appointment[]>({ queryKey: ['appointments'] })) {
    const others = list?.filter((appointment) => appointment.id !== id)
    const inPlace = others && [...others, ...insteadIn(rangeOf(String(key[1])))]
    client.setQueryData(
      key,
      inPlace?.toSorted((a, b) => (`${a.start_at} ${a.id}` < `${b.start_at} ${b.id}` ? -1 : 1)),
    )
  }
  void client.invalidateQueries({ queryKey: ['appointments'] })
  void client.invalidateQueries({ queryKey: ['appointments of student'] })
}

function rangeOf(monday: LocalDate) {
  return { from: localDateFor(dayOf(monday) - 1), to: localDateFor(dayOf(monday) + 7) }
}

function addressOf({ id }: Appointment): string {
  return `/appointments/${id}`
}
