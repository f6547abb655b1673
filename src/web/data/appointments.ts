import type { QueryClient } from '@tanstack/react-query'
import type { Appointment, AppointmentChange, NewAppointment } from '../../contract/appointment.ts'
import { isStudentIn } from '../../domain/counted.ts'
import { dayOf, dayOfMinute, type LocalDate, localDateFor } from '../../domain/local-time.ts'
import { surroundingsOfWeek } from '../../domain/surroundings.ts'
import { refetchComputed } from './computed.ts'
import type { Copies } from './copies.ts'
import { fetchApi } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { patchRead } from './patch-read.ts'
import { bodyOf } from './send.ts'
import { changing, creating, deleting, recordSet, type WriteContext } from './write-queue.ts'

/** The filter of the service's list; both days are inclusive. */
type Filter = {
  readonly instructor_id?: string
  readonly student_id?: string
  readonly series_id?: string
  readonly status?: Appointment['status']
  readonly from?: LocalDate
  readonly to?: LocalDate
}

/** Queries the appointments needed first to check lessons of the ISO week: the week, and some days before and after. */
export function weekOfAppointments(monday: LocalDate) {
  const { start, end } = surroundingsOfWeek(dayOf(monday))
  return appointmentsWhere({
    from: localDateFor(dayOfMinute(start)),
    to: localDateFor(dayOfMinute(end - 1)),
  })
}

export function lessonsOfDay(instructor_id: string, date: LocalDate) {
  return appointmentsWhere({ instructor_id, from: date, to: date })
}

export function lessonsOfStudent(student_id: string) {
  return appointmentsWhere({ student_id })
}

/** Queries the lessons of a series that are not deleted, by start. */
export function lessonsOfSeries(series_id: string) {
  return appointmentsWhere({ series_id })
}

/** Queries the planned lessons that touch the days, by start. */
export function plannedLessons(from: LocalDate, to: LocalDate) {
  return appointmentsWhere({ status: 'planned', from, to })
}

/** Queries all lessons, of a new school that has few. */
export function allLessons() {
  return appointmentsWhere({})
}

function appointmentsWhere(filter: Filter) {
  return followedQuery<readonly Appointment[]>(
    ['appointments', filter],
    `/appointments?${new URLSearchParams(filter)}`,
  )
}

/** Queries one lesson, even if no cached list contains it. */
export function oneAppointment(id: string) {
  return followedQuery<Appointment>(['appointment', id], `/appointments/${id}`)
}

export const APPOINTMENTS: Copies<Appointment> = {
  path: '/appointments',
  read: readAppointment,
  store: storeAppointment,
  drop: dropAppointment,
}

export const bookAppointment = creating<Appointment, NewAppointment>(APPOINTMENTS)
export const changeAppointment = changing<Appointment, AppointmentChange>(APPOINTMENTS)
export const deleteAppointment = deleting(APPOINTMENTS)

/** Undoes a deletion. Throws `ApiProblem` or `Unreachable`. */
export async function restoreAppointment({ id }: Appointment, writing: WriteContext): Promise<Appointment> {
  const answer = await fetchApi(`/appointments/${id}/restore`, { method: 'POST' })
  const appointment: Appointment = await bodyOf(answer)
  recordSet(answer, writing)
  await storeAppointment(writing.client, appointment)
  return appointment
}

/** Returns the newest cached copy. */
function readAppointment(client: QueryClient, id: string): Appointment | undefined {
  const lists = client.getQueriesData<readonly Appointment[]>({ queryKey: ['appointments'] })
  const copies = lists.flatMap(([, list]) => list?.find((lesson) => lesson.id === id) ?? [])
  const alone = client.getQueryData(oneAppointment(id).queryKey)
  return [...copies, ...(alone ? [alone] : [])].toSorted((a, b) => b.version - a.version)[0]
}

async function storeAppointment(client: QueryClient, appointment: Appointment): Promise<void> {
  await storeAppointments(client, [appointment])
}

/** Updates every cached list with the service's response, and removes lessons from lists whose filter they no longer match. */
export async function storeAppointments(
  client: QueryClient,
  appointments: readonly Appointment[],
): Promise<void> {
  const stored = new Set(appointments.map(({ id }) => id))
  await patchRead<readonly Appointment[]>(client, ['appointments'], (list, [, filter]) => {
    const others = list.filter(({ id }) => !stored.has(id))
    const listed = appointments.filter((appointment) => isListed(appointment, filter as Filter))
    if (listed.length === 0) return others
    return [...others, ...listed].toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  })
  for (const appointment of appointments) {
    const { queryKey } = oneAppointment(appointment.id)
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, appointment)
  }
  void refetchComputed(client)
}

/** Removes a deleted lesson from every list and refetches its own query. */
async function dropAppointment(client: QueryClient, id: string): Promise<void> {
  await patchRead<readonly Appointment[]>(client, ['appointments'], (list) =>
    list.filter((lesson) => lesson.id !== id),
  )
  void client.resetQueries({ queryKey: oneAppointment(id).queryKey })
  void refetchComputed(client)
}

function isListed(lesson: Appointment, filter: Filter): boolean {
  const { instructor_id, student_id, series_id, status, from, to } = filter
  return (
    (instructor_id === undefined || lesson.instructor_id === instructor_id) &&
    (student_id === undefined || isStudentIn(lesson, student_id)) &&
    (series_id === undefined || lesson.series_id === series_id) &&
    (status === undefined || lesson.status === status) &&
    (from === undefined || lesson.end_at > `${from} 00:00`) &&
    (to === undefined || lesson.start_at < `${to} 24:00`)
  )
}

function orderOf({ start_at, id }: Appointment): string {
  return `${start_at} ${id}`
}
