import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()
const WORD = 'Brandt'

it('the minutes of a month ignore instructors, lessons, types and the log of twin schools', async () => {
  service().setClock(new Date('2026-05-20T10:00:00Z'))
  const school = await aSchool(service())
  const { id } = await school.instructor({ last_name: WORD, max_daily_units: 2, max_daily_override: 4 })
  for (const [start, end] of [
    ['08:00', '09:30'],
    ['10:00', '11:30'],
  ]) {
    const { id: student_id } = await school.student({ last_name: WORD })
    const times = { start_at: `2026-05-11 ${start}`, end_at: `2026-05-11 ${end}` }
    await school.lesson({ instructor_id: id, student_id, status: 'completed', ...times })
  }
  const read = async () => ({
    months: must(200, await school.client.get('/minutes?month=2026-05')),
    rows: must(200, await school.client.get(`/minutes/rows?instructor_id=${id}&date=2026-05-11`)),
  })
  const before = await read()
  expect(before.months.flatMap(({ days }: Row) => days)).toMatchObject([
    { worked_minutes: 180, overrides: [{ rule: 'daily', actor: { name: 'Anna Office' } }] },
  ])
  expect(before.rows).toHaveLength(2)
  for (const side of ['00000000', 'ffffffff'] as const)
    await plantTwin(service(), school.tenantId, WORD, side)
  expect(await read()).toEqual(before)
})
