import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { statement } from '../../src/db/connection/statement.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { openOwnDatabase } from '../support/app.ts'
import { Recorder } from '../support/plans.ts'

let db: DatabasePool
let recorder: Recorder
let descriptions = 0

beforeAll(async () => {
  db = await openOwnDatabase()
  recorder = new Recorder(db.pool)
  db.pool.on('connect', (client) => {
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
    connection.on('rowDescription', () => {
      descriptions += 1
    })
  })
})

afterAll(() => db.destroy())

type Pair = { readonly one: number; readonly other: string }

const pair = statement(
  (at, { one, other }: { readonly [Name in keyof Pair]: ReturnType<typeof sql<Pair[Name]>> }) =>
    sql<Pair & { readonly again: number; readonly text: string }>`
    select ${one}::integer as one, ${other}::text as other, ${one}::integer + 1 as again,
      ${other}::text || ${one}::text as text`.compile(at),
)

it('a statement sends a repeated value once per type', async () => {
  recorder.take()
  expect(await pair(db, { one: 1, other: 'a' })).toEqual([{ one: 1, other: 'a', again: 2, text: 'a1' }])
  expect(recorder.take().map(({ values }) => values)).toEqual([[1, 'a', 1]])
})

it('a connection describes a statement only once and parses later rows the same way', async () => {
  await pair(db, { one: 1, other: 'a' })
  descriptions = 0
  const rows = [await pair(db, { one: 2, other: 'b' }), await pair(db, { one: 3, other: 'c' })]
  expect(rows).toEqual([
    [{ one: 2, other: 'b', again: 3, text: 'b2' }],
    [{ one: 3, other: 'c', again: 4, text: 'c3' }],
  ])
  expect(descriptions).toBe(0)
})

it('a statement whose columns have changed fails instead of returning wrong values', async () => {
  const read = statement((at) => sql<object>`select * from changing where id = 1`.compile(at))
  await sql`create temporary table changing as select 1 as id, '2' as value`.execute(db)
  try {
    expect([await read(db, {}), await read(db, {})].flat()).toEqual([1, 2].map(() => ({ id: 1, value: '2' })))
    await sql`alter table changing add column another integer`.execute(db)
    await expect(read(db, {})).rejects.toThrow('cached plan must not change result type')
  } finally {
    await sql`drop table changing`.execute(db)
  }
})

it('prebuilt and ad hoc statements in a transaction run in the order they were started', async () => {
  const rows = await inTransaction(db, async (at) => {
    const started = [
      sql`create temporary table ordered (value integer) on commit drop`.execute(at),
      statement((to) => sql`insert into ordered values (1)`.compile(to))(at, {}),
      sql`update ordered set value = value + 1`.execute(at),
      statement((to) => sql<object>`select value from ordered`.compile(to))(at, {}),
    ] as const
    return (await Promise.all(started))[3]
  })
  expect(rows).toEqual([{ value: 2 }])
})
