// @module-tag embedded: each kind of database has its own table of zones
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { localNow, zoneFaultFor } from '../../src/domain/time-zone.ts'
import { useService } from '../support/app.ts'

const service = useService()

/** The middle of each quarter from 2000 to 2025. Tables of different age may disagree about later years. */
const MOMENTS = Array.from({ length: 26 * 4 }, (_, quarter) =>
  new Date(Date.UTC(2000, 3 * quarter, 15, 12)).toISOString(),
)

it('every zone that a school can have shows the same wall clock in the database as in this runtime', async () => {
  const { rows } = await sql<{ name: string }>`select name from pg_timezone_names`.execute(service().db)
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), ...rows.map(({ name }) => name)])]
  const accepted = zones.filter((zone) => zoneFaultFor(zone) === undefined)
  expect(accepted.length).toBeGreaterThan(400)
  const read = await sql<{ zone: string; clocks: string[] }>`
    select zone, array(select to_char(moment at time zone zone, 'YYYY-MM-DD HH24:MI')
      from unnest(${MOMENTS}::timestamptz[]) with ordinality one (moment, at) order by at) as clocks
    from unnest(${accepted}::text[]) zone`.execute(service().db)
  const different = read.rows.filter(
    ({ zone, clocks }) => clocks.join() !== MOMENTS.map((moment) => localNow(new Date(moment), zone)).join(),
  )
  expect([read.rows.length, different.map(({ zone }) => zone)]).toEqual([accepted.length, []])
})
