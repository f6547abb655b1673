import { type Dataset, EMAIL, PASSWORD } from './dataset.ts'
import type { WireRequest } from './http-load.ts'
import type { DatabaseKind } from './stack.ts'

/** A ratio to the floor, or requests per second. */
export type Target = { readonly ratio: number } | { readonly perSecond: number }

type Place = { readonly kind: DatabaseKind; readonly connections: number }

/** Returns the target with 16 connections: a ratio on PostgreSQL, a number per second on the embedded database. */
const target =
  (ratio?: number, perSecond?: number) =>
  ({ kind, connections }: Place): Target | undefined => {
    if (connections !== 16) return undefined
    if (kind === 'postgres') return ratio === undefined ? undefined : { ratio }
    return perSecond === undefined ? undefined : { perSecond }
  }

/** A kind of request to the service, with the floor's bare call on the same tables. */
export type Operation = {
  readonly name: string
  readonly status: number
  readonly targetFor: (place: Place) => Target | undefined
  readonly service: () => WireRequest
  readonly floor: () => WireRequest
}

type Slot = { readonly instructor: number; readonly start_at: string; readonly end_at: string }

export const WEEK_LIST = '/appointments?from=2029-05-07&to=2029-05-13'

/** Returns the operations. `weekTag` is the entity tag of the week list. */
export function operationsOn(data: Dataset, token: string, weekTag = ''): readonly Operation[] {
  const headers = { authorization: `Bearer ${token}` }
  const ask = (
    method: string,
    path: string,
    body?: unknown,
    more: WireRequest['headers'] = {},
  ): WireRequest => ({
    method,
    path: `/api/v1${path}`,
    headers: { ...headers, ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const bare = (operation: string, values: unknown): WireRequest => ({
    method: 'POST',
    path: `/${operation}`,
    body: JSON.stringify(values),
  })
  const person = ({ instructor }: { instructor: number }) => ({
    instructor_id: data.instructors[instructor] ?? '',
    student_id: data.students[instructor] ?? '',
    lesson_type_id: data.lessonTypeId,
  })
  const taken = { instructor: 0, start_at: '2029-05-14 08:00', end_at: '2029-05-14 09:30' }
  const tooLong = { instructor: 1, start_at: '2029-06-04 06:00', end_at: '2029-06-04 15:00' }
  const booking = slots(data, 2030)
  const bareBooking = slots(data, 2060)
  const durableBooking = slots(data, 2080)
  const moving = moves(data)
  const bareMoving = moves(data)
  let refreshes = 0
  const bareWeek = () => bare('week', [data.tenantId, '2029-05-07', '2029-05-14'])

  const book = () => {
    const { instructor, ...times } = booking()
    return ask('POST', '/appointments', { ...person({ instructor }), ...times })
  }

  return [
    {
      name: 'book',
      status: 201,
      targetFor: target(0.45, 600),
      service: book,
      floor: () => {
        const { instructor, start_at, end_at } = bareBooking()
        const { instructor_id, student_id, lesson_type_id } = person({ instructor })
        return bare('book', [data.tenantId, instructor_id, student_id, lesson_type_id, start_at, end_at])
      },
    },
    {
      name: 'book, same writes',
      status: 201,
      targetFor: target(0.6),
      service: book,
      floor: () => {
        const { instructor, start_at, end_at } = durableBooking()
        const { instructor_id, student_id, lesson_type_id } = person({ instructor })
        const values = [instructor_id, student_id, lesson_type_id, start_at, end_at]
        return bare('book_durably', [data.tenantId, ...values, data.userId])
      },
    },
    {
      name: 'refused: overlap',
      status: 409,
      targetFor: target(0.3),
      service: () =>
        ask('POST', '/appointments', { ...person(taken), start_at: taken.start_at, end_at: taken.end_at }),
      floor: () => bare('refused', [data.tenantId, data.instructors[0], taken.start_at, taken.end_at]),
    },
    {
      name: 'refused: daily limit',
      status: 409,
      targetFor: target(0.3),
      service: () =>
        ask('POST', '/appointments', {
          ...person(tooLong),
          start_at: tooLong.start_at,
          end_at: tooLong.end_at,
        }),
      floor: () => bare('refused', [data.tenantId, data.instructors[1], tooLong.start_at, tooLong.end_at]),
    },
    {
      name: 'change',
      status: 200,
      targetFor: target(),
      service: () => {
        const { id, start_at, end_at } = moving()
        return ask('PATCH', `/appointments/${id}`, { start_at, end_at })
      },
      floor: () => {
        const { id, start_at, end_at } = bareMoving()
        return bare('change', [data.tenantId, id, start_at, end_at])
      },
    },
    {
      name: 'week list (100)',
      status: 200,
      targetFor: target(0.9, 1000),
      service: () => ask('GET', WEEK_LIST),
      floor: bareWeek,
    },
    {
      name: 'week list, unchanged',
      status: 304,
      targetFor: target(),
      service: () => ask('GET', WEEK_LIST, undefined, { 'if-none-match': weekTag }),
      floor: bareWeek,
    },
    {
      name: 'bootstrap',
      status: 200,
      targetFor: target(0.9),
      service: () => ask('GET', '/bootstrap'),
      floor: () => bare('bootstrap', [data.tenantId]),
    },
    {
      name: 'login',
      status: 200,
      targetFor: target(),
      service: () => ask('POST', '/auth/login', { email: EMAIL, password: PASSWORD }),
      floor: () => bare('login', [EMAIL]),
    },
    {
      name: 'refresh',
      status: 200,
      targetFor: target(),
      service: () => {
        refreshes += 1
        return ask('POST', '/auth/refresh', { refresh_token: data.refreshTokens[refreshes] ?? 'used up' })
      },
      floor: () => bare('refresh', [data.userId]),
    },
    {
      name: 'me',
      status: 200,
      targetFor: target(0.5),
      service: () => ask('GET', '/auth/me'),
      floor: () => bare('me', []),
    },
  ]
}

const NO_DATA: Dataset = {
  tenantId: '',
  userId: '',
  lessonTypeId: '',
  instructors: [],
  students: [],
  appointments: [],
  refreshTokens: [],
}

export const OPERATION_NAMES = operationsOn(NO_DATA, '').map(({ name }) => name)

const SLOTS_A_DAY = 8

/** Returns a function that returns free slots, in turn over all instructors: 45 minutes with an hour between. */
function slots({ instructors }: Dataset, year: number): () => Slot {
  let count = 0
  return () => {
    const instructor = count % instructors.length
    const slot = Math.floor(count / instructors.length)
    count += 1
    const minute = 6 * 60 + (slot % SLOTS_A_DAY) * 105
    const start = Date.UTC(year, 0, 1 + Math.floor(slot / SLOTS_A_DAY)) + minute * 60_000
    return { instructor, start_at: local(start), end_at: local(start + 45 * 60_000) }
  }
}

function moves({ appointments }: Dataset): () => { id: string; start_at: string; end_at: string } {
  let count = 0
  return () => {
    const id = appointments[2 + (count % (appointments.length - 2))] ?? ''
    const offset = Math.floor(count / (appointments.length - 2)) % 2 === 0 ? 15 : 0
    count += 1
    const start = Date.UTC(2029, 4, 14, 8, offset)
    return { id, start_at: local(start), end_at: local(start + 45 * 60_000) }
  }
}

function local(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}
