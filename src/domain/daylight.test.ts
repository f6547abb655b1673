import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Darkness, darknessFor } from './daylight.ts'
import { intervalOf } from './interval.ts'
import { dayOf, localDateTimeFor, minuteOf } from './local-time.ts'

const skyAt = (latitude: number, longitude: number, timezone: string): Darkness => {
  const darkness = darknessFor({ latitude, longitude, timezone })
  if (!darkness) throw new Error('the place is known')
  return darkness
}
const BERLIN = skyAt(52.5, 13.37, 'Europe/Berlin')
const SVALBARD = skyAt(78.2, 15.6, 'Arctic/Longyearbyen')
const AUCKLAND = skyAt(-36.87, 174.77, 'Pacific/Auckland')

const isDark = (start_at: string, end_at: string, darkness = BERLIN) =>
  darkness.isDark(intervalOf({ start_at, end_at }))
const nightAt = (start_at: string, darkness: Darkness) => {
  const night = darkness.nightFrom(minuteOf(start_at))
  return night && [localDateTimeFor(night.start), localDateTimeFor(night.end)]
}

describe('a drive', () => {
  // Sunset in Berlin: 16:03 on 23 November, 21:33 on 21 June; sunrise on 24 November: 07:43.
  it.each([
    ['2026-11-23 10:00', '2026-11-23 10:45', false],
    ['2026-11-23 16:02', '2026-11-23 16:45', false],
    ['2026-11-23 16:03', '2026-11-23 16:48', true],
    ['2026-11-23 23:30', '2026-11-24 00:30', true],
    ['2026-11-24 06:00', '2026-11-24 07:43', true],
    ['2026-11-24 06:00', '2026-11-24 07:44', false],
    ['2026-11-23 16:30', '2026-11-24 16:00', false],
    ['2026-06-21 21:30', '2026-06-21 22:15', false],
    ['2026-06-21 21:35', '2026-06-21 22:20', true],
  ])('in Berlin from %s to %s is in the dark: %s', (start_at, end_at, expected) => {
    expect(isDark(start_at, end_at)).toBe(expected)
  })

  it.each([
    ['2026-06-21 00:00', false],
    ['2026-12-21 12:00', true],
  ])('in Svalbard at %s is in the dark: %s', (start_at, expected) => {
    expect(isDark(start_at, `${start_at.slice(0, 11)}13:00`, SVALBARD)).toBe(expected)
  })

  it('is judged by local time in a zone more than 12 hours ahead of UTC', () => {
    expect(isDark('2026-12-21 09:00', '2026-12-21 10:00', AUCKLAND)).toBe(false)
    expect(isDark('2026-12-21 21:00', '2026-12-21 22:00', AUCKLAND)).toBe(true)
  })

  it('is in the dark an hour earlier by local time after the autumn clock change', () => {
    expect(isDark('2026-10-24 17:52', '2026-10-24 18:22')).toBe(true)
    expect(isDark('2026-10-25 16:50', '2026-10-25 17:20')).toBe(true)
    expect(isDark('2026-10-24 16:50', '2026-10-24 17:20')).toBe(false)
  })
})

describe('the night', () => {
  it('is the coming one by day and the current one in the dark', () => {
    const night = ['2026-11-23 16:03', '2026-11-24 07:43']
    expect(nightAt('2026-11-23 10:00', BERLIN)).toEqual(night)
    expect(nightAt('2026-11-24 07:00', BERLIN)).toEqual(night)
  })

  it('is undefined where the sun does not set', () => {
    expect(nightAt('2026-06-21 10:00', SVALBARD)).toBeUndefined()
  })

  it('covers the dark parts of a day', () => {
    const parts = BERLIN.darkTimesOn(dayOf('2026-11-23'))
    expect(parts.map(({ start, end }) => [localDateTimeFor(start), localDateTimeFor(end)])).toEqual([
      ['2026-11-23 00:00', '2026-11-23 07:41'],
      ['2026-11-23 16:03', '2026-11-24 00:00'],
    ])
    expect(SVALBARD.darkTimesOn(dayOf('2026-06-21'))).toEqual([])
  })

  it('contains exactly the dark minutes, at any place and time', () => {
    const suns = fc.record({
      latitude: fc.integer({ min: -66, max: 66 }),
      longitude: fc.integer({ min: -180, max: 180 }),
      timezone: fc.constantFrom('Europe/Berlin', 'Pacific/Auckland', 'America/Los_Angeles', 'UTC'),
    })
    const minutes = fc.integer({ min: minuteOf('2024-01-01 00:00'), max: minuteOf('2030-01-01 00:00') })
    fc.assert(
      fc.property(suns, minutes, ({ latitude, longitude, timezone }, minute) => {
        const darkness = skyAt(latitude, longitude, timezone)
        const night = darkness.nightFrom(minute)
        expect(darkness.isDark({ start: minute, end: minute + 1 })).toBe(
          night !== undefined && night.start <= minute,
        )
      }),
      // By the clock east of the date line, by the sun west of it: a solar day ends two days later on the clock.
      { examples: [[{ latitude: -66, longitude: -170, timezone: 'Pacific/Auckland' }, 28_401_120]] },
    )
  })
})

it('darknessFor returns undefined for a school without coordinates', () => {
  expect(darknessFor({ latitude: null, longitude: null, timezone: 'UTC' })).toBeUndefined()
})
