import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CancellationAct,
  type CancellationPolicy,
  cancellationFor,
  feeAroseAt,
  lastMomentFor,
  type NoticePeriod,
  noShowFeeFor,
} from './cancellation.ts'
import { WorkingDays } from './closed-days.ts'
import { localDateTimeFor, minuteOf } from './local-time.ts'
import { isSkipped, localNow } from './time-zone.ts'

const ZONE = 'Europe/Berlin'
const MINUTE = 60_000
const CLOSED: ReadonlySet<string> = new Set(['2026-05-01', '2026-05-14', '2026-12-25', '2026-12-26'])
const calendar = { timezone: ZONE, workingDays: new WorkingDays((date) => CLOSED.has(date)) }

const act: CancellationAct = {
  by: 'student',
  reason: null,
  note: null,
  at: new Date('2026-05-04T06:00:00Z'),
  charge: null,
}
const step = (notice: NoticePeriod, fee_percent = 100, categories: readonly string[] | null = null) => ({
  categories,
  notice,
  fee_percent,
})
const reckoned = (
  start_at: string,
  at: string | Date,
  policy: CancellationPolicy,
  more: Partial<CancellationAct> & { readonly category?: string } = {},
) => {
  const { category = 'practical', ...own } = more
  return cancellationFor(
    { start_at, category },
    { ...act, ...own, at: new Date(at) },
    { policy, ...calendar },
  )
}

describe('the fee of a no-show', () => {
  const noShow = (fee_percent: number, categories: readonly string[] | null = null) =>
    ({ categories, no_show: true, fee_percent }) as const
  const policy = [step({ hours: 24 }, 80), noShow(90, ['special']), noShow(60, ['theory'])]

  it.each<[string, CancellationPolicy, boolean | null, number]>([
    ['practical', [], null, 0],
    ['practical', [], true, 100],
    ['practical', policy, null, 80],
    ['practical', policy, false, 0],
    ['special', policy, null, 90],
    ['special', [noShow(0), ...policy], null, 0],
    ['special', [noShow(0), ...policy], true, 90],
    ['internal', [step({ hours: 24 }, 80, ['practical'])], null, 0],
  ])(
    'of category %s follows its step, else the first notice, else the decision',
    (category, steps, charge, fee) => {
      expect(noShowFeeFor({ category }, charge, steps)).toBe(fee)
    },
  )

  it('leaves cancellations alone', () => {
    expect(reckoned('2026-05-04 09:00', act.at, [noShow(90)])).toMatchObject({
      is_late: false,
      fee_percent: 0,
    })
  })

  it('arises when the lesson begins, and that of a cancellation when it is recorded', () => {
    const cancellation = reckoned('2026-05-04 09:00', act.at, policy)
    expect(feeAroseAt({ start_at: '2026-05-04 09:00', cancellation: null }, ZONE)).toBe('2026-05-04 09:00')
    expect(feeAroseAt({ start_at: '2026-05-05 09:00', cancellation }, ZONE)).toBe('2026-05-04 08:00')
  })
})

describe('the last moment of notice', () => {
  it.each([
    [{ hours: 48 }, '2026-05-06 08:00', '2026-05-04T06:00:00Z', 'two days of summer time'],
    [
      { hours: 24 },
      '2026-03-29 12:00',
      '2026-03-28T10:00:00Z',
      'the night is an hour shorter: 11:00 local time',
    ],
    [
      { hours: 24 },
      '2026-10-25 12:00',
      '2026-10-24T11:00:00Z',
      'the night is an hour longer: 13:00 local time',
    ],
    [{ hours: 0 }, '2026-05-06 08:00', '2026-05-06T06:00:00Z', 'the start itself'],
    [{ working_days: 1 }, '2026-05-06 08:00', '2026-05-05T06:00:00Z', 'the day before'],
    [{ working_days: 1 }, '2026-05-04 08:00', '2026-04-30T06:00:00Z', 'over a weekend and a holiday'],
    [{ working_days: 6 }, '2026-05-18 08:00', '2026-05-07T06:00:00Z', 'over two weekends and a holiday'],
    [{ working_days: 1 }, '2026-03-30 08:00', '2026-03-27T07:00:00Z', 'the same local time, in winter time'],
    [{ working_days: 1 }, '2026-05-10 08:00', '2026-05-08T06:00:00Z', 'for a lesson on a Sunday'],
    [{ days_before: 1, until: '13:00' }, '2026-05-04 08:00', '2026-05-03T11:00:00Z', 'on a Sunday'],
    [
      { days_before: 1, until: '13:00', working: true },
      '2026-05-04 08:00',
      '2026-04-30T11:00:00Z',
      'on the working day before',
    ],
    [{ days_before: 0, until: '06:30' }, '2026-05-04 08:00', '2026-05-04T04:30:00Z', 'on the day itself'],
    [{ days_before: 0, until: '13:00' }, '2026-05-04 08:00', '2026-05-04T06:00:00Z', 'never after the start'],
    [
      { days_before: 1, until: '13:00' },
      '2026-10-26 08:00',
      '2026-10-25T12:00:00Z',
      'after the clock change',
    ],
  ])('for %j before %s is %s: %s', (notice, start_at, moment, _) => {
    expect(new Date(lastMomentFor(notice, start_at, calendar)).toISOString()).toBe(
      new Date(moment).toISOString(),
    )
    const lateness = (shift: number) =>
      reckoned(start_at, new Date(Date.parse(moment) + shift), [step(notice)]).is_late
    expect([lateness(-1), lateness(0), lateness(1)]).toEqual([false, false, true])
  })

  it('is the start of the lesson if the school is always closed', () => {
    const always = { timezone: ZONE, workingDays: new WorkingDays(() => true) }
    expect(lastMomentFor({ working_days: 2 }, '2026-05-04 08:00', always)).toBe(
      Date.parse('2026-05-04T06:00:00Z'),
    )
  })

  it('matches a brute-force search through days and minutes', () => {
    const notices = fc.oneof(
      fc.record({ working_days: fc.integer({ min: 0, max: 12 }) }),
      fc.record({
        days_before: fc.integer({ min: 0, max: 12 }),
        until: fc.integer({ min: 0, max: 1439 }).map((minute) => localDateTimeFor(minute).slice(11)),
        working: fc.boolean(),
      }),
      fc.record({ hours: fc.integer({ min: 0, max: 300 }) }),
    )
    const starts = fc
      .integer({ min: minuteOf('2026-01-10 00:00'), max: minuteOf('2026-12-31 23:59') })
      .map(localDateTimeFor)
      .filter((start) => !isSkipped(start, ZONE))
    fc.assert(
      fc.property(starts, notices, (start_at, notice) => {
        const wanted = searched(start_at, notice)
        fc.pre(wanted !== undefined)
        expect(lastMomentFor(notice, start_at, calendar)).toBe(wanted)
      }),
      { numRuns: 300 },
    )
  })
})

/** Searches for the last moment step by step: back by days, then through UTC minutes until the wall clock shows the time. */
function searched(start_at: string, notice: NoticePeriod): number | undefined {
  const start = firstShowing(start_at)
  if ('hours' in notice) {
    let moment = start
    for (let hour = 0; hour < notice.hours; hour += 1) moment -= 60 * MINUTE
    return moment
  }
  const isByWorkingDays = 'working_days' in notice
  const isWorking = isByWorkingDays || notice.working === true
  let left = isByWorkingDays ? notice.working_days : notice.days_before
  let day = new Date(`${start_at.slice(0, 10)}T12:00:00Z`)
  while (left > 0) {
    day = new Date(day.getTime() - 1440 * MINUTE)
    const isDayOff = [0, 6].includes(day.getUTCDay()) || CLOSED.has(day.toISOString().slice(0, 10))
    if (!(isWorking && isDayOff)) left -= 1
  }
  const time = isByWorkingDays ? start_at.slice(11) : notice.until
  const local = `${day.toISOString().slice(0, 10)} ${time}`
  return isSkipped(local, ZONE) ? undefined : Math.min(start, firstShowing(local))
}

function firstShowing(local: string): number {
  let moment = minuteOf(local) * MINUTE - 180 * MINUTE
  while (localNow(new Date(moment), ZONE) !== local) moment += MINUTE
  return moment
}

describe('a cancellation', () => {
  const START = '2026-05-06 08:00'
  const steps = [step({ hours: 24 }, 100), step({ hours: 48 }, 50)]

  it.each([
    ['2026-05-04T06:00:00Z', false, 0],
    ['2026-05-04T06:00:00.001Z', true, 50],
    ['2026-05-05T06:00:00Z', true, 50],
    ['2026-05-05T06:00:00.001Z', true, 100],
    ['2026-05-06T07:00:00Z', true, 100],
  ])('at %s has is_late %j and fee_percent %i', (at, is_late, fee_percent) => {
    const found = reckoned(START, at, steps)
    expect([found.is_late, found.fee_percent, found.charged]).toEqual([is_late, fee_percent, fee_percent > 0])
  })

  it('after the start is late in any category, unless there is no policy', () => {
    const ofOthers = [step({ hours: 24 }, 100, ['theory'])]
    expect(reckoned(START, '2026-05-06T06:00:00Z', ofOthers)).toMatchObject({ is_late: false })
    expect(reckoned(START, '2026-05-06T06:00:00.001Z', ofOthers)).toMatchObject({
      is_late: true,
      fee_percent: 0,
    })
    const free = { is_late: false, fee_percent: 0, charged: false }
    expect(reckoned(START, '2026-05-06T07:00:00Z', [])).toMatchObject(free)
  })

  it('uses the first missed step that matches the category', () => {
    const policy = [step({ working_days: 6 }, 80, ['special']), step({ hours: 24 }, 40)]
    expect(reckoned(START, '2026-05-04T06:00:00Z', policy)).toMatchObject({ is_late: false, fee_percent: 0 })
    const special = { category: 'special' }
    expect(reckoned(START, '2026-05-04T06:00:00Z', policy, special)).toMatchObject({
      is_late: true,
      fee_percent: 80,
    })
    expect(reckoned(START, '2026-04-20T06:00:00Z', policy, special).is_late).toBe(false)
  })

  it('is late but free for illness or if the school cancels', () => {
    const free = { is_late: true, fee_percent: 0, charged: false }
    expect(reckoned(START, '2026-05-06T05:00:00Z', steps, { reason: 'illness' })).toMatchObject(free)
    expect(reckoned(START, '2026-05-06T05:00:00Z', steps, { by: 'school' })).toMatchObject(free)
    const weather = reckoned(START, '2026-05-06T05:00:00Z', steps, { reason: 'weather' })
    expect(weather).toMatchObject({ is_late: true, fee_percent: 100, charged: true })
  })

  it('follows an explicit decision to charge or not', () => {
    const late = '2026-05-05T00:00:00Z'
    expect(reckoned(START, late, steps, { charge: false })).toMatchObject({ fee_percent: 0, charged: false })
    expect(reckoned(START, late, steps, { charge: true })).toMatchObject({ fee_percent: 50, charged: true })
    const ill = { charge: true, reason: 'illness' } as const
    expect(reckoned(START, late, steps, ill)).toMatchObject({ fee_percent: 100, charged: true })
    expect(reckoned(START, late, [], { charge: true })).toMatchObject({ fee_percent: 100, charged: true })
    expect(reckoned(START, late, [step({ hours: 48 }, 0)], { charge: true }).fee_percent).toBe(100)
    const other = [step({ hours: 48 }, 60), step({ hours: 1 }, 90, ['theory'])]
    expect(reckoned(START, '2026-05-01T00:00:00Z', other, { charge: true }).fee_percent).toBe(60)
  })

  it('has its notice in whole minutes, also after the start and across a clock change', () => {
    expect(reckoned(START, '2026-05-06T05:00:00.001Z', []).notice_minutes).toBe(59)
    expect(reckoned(START, '2026-05-06T06:00:00.000Z', []).notice_minutes).toBe(0)
    expect(reckoned(START, '2026-05-06T06:30:00.000Z', []).notice_minutes).toBe(-30)
    expect(reckoned('2026-03-29 12:00', '2026-03-28T11:00:00Z', []).notice_minutes).toBe(23 * 60)
  })
})
