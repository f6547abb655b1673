import type { Answer } from '../support/client.ts'
import type { School } from '../support/factory.ts'
import type { Office } from '../support/office.ts'
import type { Case, PlannedOffice } from './plan-cases.ts'

/** The statements on the log of changes. */
export const casesOfChanges: readonly Case[] = [
  ...histories({
    appointment: ({ lessons }) => `/appointments/${lessons[6]}`,
    student: ({ students }) => `/students/${students[6]}`,
    instructor: ({ instructors }) => `/instructors/${instructors[6]}`,
  }),
  ...['changes_of_set', 'changes_undoing_set'].map((by) => ({
    name: `an undo, by ${by}`,
    status: 200,
    reads: 'changes',
    by,
    ask: undoOfLast,
  })),
  {
    name: 'an undo of a lesson',
    status: 200,
    reads: 'appointments',
    by: 'appointments_pkey',
    ask: async ({ school: { client }, lessons, forget }) => {
      const changed = await client.patch(`/appointments/${lessons[8]}`, { notes: crypto.randomUUID() })
      forget()
      return client.post(`/changes/sets/${changed.headers.get('x-request-id')}/undo`)
    },
  },
  ...changeLists([
    ['?limit=10', 'changes_pkey'],
    ['?limit=1000&cursor=CURSOR', 'changes_pkey'],
    ['?resource=appointment&limit=10', 'changes_pkey'],
    ['?actor_id=USER&limit=10', 'changes_pkey'],
    ['?from=2026-01-01&to=2026-01-31', 'changes_pkey'],
    ['?resource=student&actor_id=USER&from=2026-01-01&to=2026-01-31&limit=10', 'changes_pkey'],
    ['?resource_id=LESSON', 'changes_of_resource'],
    ['?resource=appointment&resource_id=LESSON&actor_id=USER&limit=10', 'changes_of_resource'],
  ]),
  {
    name: 'what a follower has not seen',
    status: 200,
    reads: 'changes',
    by: 'changes_by_transaction',
    ask: async ({ school, forget }) => {
      const { cursor } = (await school.client.get('/changes/since')).body
      forget()
      return school.client.get(`/changes/since?cursor=${cursor}`)
    },
  },
  {
    name: 'the next piece of what a follower has not seen',
    status: 200,
    reads: 'changes',
    by: 'changes_by_transaction',
    ask: ({ school }) =>
      followFrom(school, ({ server, at, seen }) => [server, at, seen, at, school.user.id, server, at, seen]),
  },
  {
    name: 'what a follower has not seen since before a restart',
    status: 200,
    reads: 'changes',
    by: 'changes_pkey',
    ask: ({ school }) => followFrom(school, ({ at, seen }) => ['2020-01-01T00:00:00.000Z', at, seen]),
  },
]

function histories(paths: Readonly<Record<string, (office: Office) => string>>): readonly Case[] {
  return Object.entries(paths).map(([resource, pathOf]) => ({
    name: `the history of one ${resource}`,
    status: 200,
    reads: 'changes',
    by: 'changes_of_resource',
    ask: (office) => office.school.client.get(`${pathOf(office)}/history`),
  }))
}

/** Returns a case for each query: a page of changes, read by the index that has its rows in the order of the list. */
function changeLists(lists: readonly (readonly [query: string, by: string])[]): readonly Case[] {
  return lists.map(([query, by]) => ({
    name: `the changes ${query}`,
    status: 200,
    reads: 'changes',
    by,
    ask: ({ school, lessons }) => {
      const cursor = encoded(['2026-01-31T08:00:00.000Z', school.user.id])
      const asked = query.replace('USER', school.user.id).replace('LESSON', lessons[7] ?? '')
      return school.client.get(`/changes${asked.replace('CURSOR', cursor)}`)
    },
  }))
}

/** Undoes a change of a student that was just made. */
async function undoOfLast({ school, students, forget }: PlannedOffice): Promise<Answer> {
  const { client } = school
  const changed = await client.patch(`/students/${students[6]}`, { notes: crypto.randomUUID() })
  forget()
  return client.post(`/changes/sets/${changed.headers.get('x-request-id')}/undo`)
}

type Mark = { readonly server: string; readonly at: string; readonly seen: string }

/** Follows the changes from a cursor that `valuesOf` makes from the current one. */
async function followFrom({ client }: School, valuesOf: (now: Mark) => readonly string[]): Promise<Answer> {
  const { cursor } = (await client.get('/changes/since')).body
  const [server, at, seen] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  return client.get(`/changes/since?cursor=${encoded(valuesOf({ server, at, seen }))}`)
}

function encoded(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}
