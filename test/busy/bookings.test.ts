import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School
let jonas: Row
let lena: Row

/** Stores busy times as a reader does, without a calendar to read. */
async function beBusy(times: string, instructor: Row = jonas): Promise<void> {
  await sql`insert into busy_times (tenant_id, instructor_id, calendar_id, times)
    values (${school.tenantId}, ${instructor.id}, gen_random_uuid(), ${times}::tsmultirange)`.execute(
    service().db,
  )
}

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor()
  lena = await school.student()
})

const DAY = '2031-06-02'
const BUSY = `{["${DAY} 10:00","${DAY} 12:00")}`
const ELSEWHERE = {
  code: 'instructor_busy_elsewhere',
  params: { start_at: `${DAY} 10:00`, end_at: `${DAY} 12:00` },
}
const policy = async (busy_calendars: 'ignore' | 'warn' | 'refuse') =>
  must(200, await school.client.patch('/tenant', { busy_calendars }))
const lessonAt = (start: string, end: string) => ({
  instructor_id: jonas.id,
  student_id: lena.id,
  lesson_type_id: school.lessonTypes.PRACTICE,
  title: 'Lesson',
  start_at: `${DAY} ${start}`,
  end_at: `${DAY} ${end}`,
})

describe('a lesson in a busy time', () => {
  // The statement that reads calendars joins multiranges.
  it('is refused, warned of or neither, according to the school', { tags: 'embedded' }, async () => {
    await beBusy(BUSY)
    const asked = lessonAt('09:00', '10:01')
    const check = async () => must(200, await school.client.post('/appointments/check', asked))
    expect((await check()).warnings).toContainEqual(ELSEWHERE)
    expect(await check()).toMatchObject({ allowed: true, refusals: [] })
    await policy('ignore')
    expect((await check()).warnings).not.toContainEqual(ELSEWHERE)
    await policy('refuse')
    const refused = await check()
    expect(refused).toMatchObject({ allowed: false, refusals: [ELSEWHERE] })
    expect(refused.warnings).not.toContainEqual(ELSEWHERE)
    const { status, body } = await school.client.post('/appointments', asked)
    expect([status, body.code, body.params]).toEqual([409, ELSEWHERE.code, ELSEWHERE.params])
    must(201, await school.client.post('/appointments', lessonAt('09:00', '10:00')))
    must(201, await school.client.post('/appointments', lessonAt('12:00', '13:00')))
    await policy('warn')
    must(201, await school.client.post('/appointments', lessonAt('10:30', '11:30')))
  })

  it('is refused directly after a vacation and before working hours', async () => {
    await beBusy(BUSY)
    await policy('refuse')
    const days = { start_date: DAY, end_date: DAY }
    const window = { weekday: 1, start: '14:00', end: '18:00' }
    const change = { vacations: [days], availability_windows: [window] }
    must(200, await school.client.patch(`/instructors/${jonas.id}`, change))
    const { refusals } = must(
      200,
      await school.client.post('/appointments/check', lessonAt('10:00', '11:00')),
    )
    expect(refusals.map(({ code }: { code: string }) => code)).toEqual([
      'instructor_on_vacation',
      'instructor_busy_elsewhere',
      'outside_availability',
    ])
  })

  it('stays booked, and may change its notes', async () => {
    const booked = must(201, await school.client.post('/appointments', lessonAt('10:00', '11:00')))
    await beBusy(BUSY)
    await policy('refuse')
    const path = `/appointments/${booked.id}`
    must(200, await school.client.patch(path, { notes: 'Bring glasses.' }))
    const moved = await school.client.patch(path, { start_at: `${DAY} 10:30`, end_at: `${DAY} 11:30` })
    expect([moved.status, moved.body.code]).toEqual([409, ELSEWHERE.code])
  })
})

describe('a busy time', () => {
  const overlapsBusy = ({ start_at, end_at }: { start_at: string; end_at: string }) =>
    start_at < `${DAY} 12:00` && end_at > `${DAY} 10:00`

  it('is not among slots, alternatives and gaps, unless the school ignores it', async () => {
    await beBusy(BUSY)
    const query = `/slots?instructor_id=${jonas.id}&student_id=${lena.id}&minutes=60&from=${DAY} 08:00&to=${DAY} 14:00&limit=200`
    const slots = async () =>
      must(200, await school.client.get(encodeURI(query))) as ReturnType<typeof lessonAt>[]
    const gaps = async () => {
      const gap = `instructor_id=${jonas.id}&start_at=${DAY} 10:30&end_at=${DAY} 11:30`
      return must(200, await school.client.get(encodeURI(`/gaps?${gap}`))) as Row[]
    }
    must(201, await school.client.post(`/students/${lena.id}/wishes`, { minutes: 60 }))
    for (const mode of ['warn', 'refuse'] as const) {
      await policy(mode)
      const found = await slots()
      expect(found.map(({ start_at }) => start_at.slice(11))).toEqual([
        ...['08:00', '08:15', '08:30', '08:45', '09:00'],
        ...['12:00', '12:15', '12:30', '12:45', '13:00'],
      ])
      expect(await gaps()).toEqual([])
      const clash = { ...lessonAt('08:00', '08:45'), student_id: null }
      const first = must(201, await school.client.post('/appointments', clash))
      const { alternatives } = must(
        200,
        await school.client.post('/appointments/check', lessonAt('08:30', '09:30')),
      )
      expect(alternatives.length).toBe(3)
      expect(alternatives.filter(overlapsBusy)).toEqual([])
      must(204, await school.client.delete(`/appointments/${first.id}`))
    }
    await policy('ignore')
    expect((await slots()).filter(overlapsBusy).length).toBeGreaterThan(0)
    expect((await gaps()).map(({ student_id }) => student_id)).toEqual([lena.id])
  })

  it('is not in plans, and opens no offer', async () => {
    await beBusy(`{["${DAY} 00:00","${DAY} 17:00")}`)
    const hours = { weekdays: [1], time_from: '15:00', time_to: '18:30', minutes: 90 }
    must(201, await school.client.post(`/students/${lena.id}/wishes`, hours))
    const asked = { from: DAY, to: DAY, student_ids: [lena.id], effort: 1 }
    const { proposed } = must(201, await school.client.post('/plans', asked))
    expect(proposed.map((one: Row) => one.start_at)).toEqual([`${DAY} 17:00`])
    await beBusy(`{["${DAY} 17:00","${DAY} 18:00")}`)
    const { left_out } = must(201, await school.client.post('/plans', asked))
    const [{ reason }] = left_out
    expect(reason.code).toBe('no_start')
    expect(reason.params.refusals.map(({ code }: Row) => code)).toEqual(['instructor_busy_elsewhere'])
    const offered = { ...lessonAt('10:00', '11:00'), student_id: undefined, title: undefined }
    const offer = await school.client.post('/offers', { ...offered, student_ids: [lena.id] })
    expect([offer.status, offer.body.code]).toEqual([409, 'instructor_busy_elsewhere'])
  })

  it('is that of its instructor in its school alone', async () => {
    const mia = await school.instructor()
    await beBusy(BUSY)
    await policy('refuse')
    must(
      201,
      await school.client.post('/appointments', { ...lessonAt('10:00', '11:00'), instructor_id: mia.id }),
    )
    const other = await aSchool(service())
    const theirs = await other.instructor()
    expect(must(200, await other.client.get('/busy-times'))).toEqual([])
    const lesson = { ...lessonAt('10:00', '11:00'), instructor_id: theirs.id, student_id: null }
    must(
      201,
      await other.client.post('/appointments', { ...lesson, lesson_type_id: other.lessonTypes.PRACTICE }),
    )
  })
})
