import { expect, it } from 'vitest'
import { isRoundOver, nextRound } from './availability-round.ts'

const timezone = 'Europe/Berlin'
const THURSDAY = { weekday: 4, time: '17:00' }

it.each([
  ['before the time of this week', '2026-05-06T10:00:00Z', '2026-05-07T15:00:00.000Z', '2026-05-11'],
  ['just before it', '2026-05-07T14:59:59Z', '2026-05-07T15:00:00.000Z', '2026-05-11'],
  ['exactly at it', '2026-05-07T15:00:00Z', '2026-05-14T15:00:00.000Z', '2026-05-18'],
  ['in the last minute of the week', '2026-05-10T21:59:00Z', '2026-05-14T15:00:00.000Z', '2026-05-18'],
  ['before the clocks go back', '2026-10-24T12:00:00Z', '2026-10-29T16:00:00.000Z', '2026-11-02'],
])('the next round %s is the first one after it', (_, after, due, week_start) => {
  const next = nextRound(THURSDAY, { timezone, quiet: null, after: new Date(after) })
  expect([next.due_at.toISOString(), next.week_start]).toEqual([due, week_start])
})

it('a week that was asked for is not asked for again', () => {
  const after = new Date('2026-05-06T10:00:00Z')
  const next = nextRound(THURSDAY, { timezone, quiet: null, after, asked: '2026-05-11' })
  expect(next).toEqual({ due_at: new Date('2026-05-14T15:00:00Z'), week_start: '2026-05-18' })
})

it.each([
  ['before quiet hours that last until its week', 7, '20:30', '20:00', '07:00', '2026-05-10T17:59:00.000Z'],
  [
    'before quiet hours that end as its week begins',
    7,
    '20:30',
    '20:00',
    '00:00',
    '2026-05-10T17:59:00.000Z',
  ],
  ['at its time if they end on the same day', 7, '20:30', '20:00', '23:59', '2026-05-10T18:30:00.000Z'],
  ['at its time outside them', 7, '19:30', '20:00', '07:00', '2026-05-10T17:30:00.000Z'],
  ['at its time on another day', 6, '20:30', '20:00', '07:00', '2026-05-09T18:30:00.000Z'],
])('a round takes place %s (day %i at %s, quiet from %s to %s)', (_, weekday, time, from, to, due) => {
  const after = new Date('2026-05-06T10:00:00Z')
  const { due_at } = nextRound({ weekday, time }, { timezone, quiet: { from, to }, after })
  expect(due_at.toISOString()).toBe(due)
})

it.each([
  ['a minute less than a day late', '2026-05-08T14:59:00Z', false],
  ['a day late', '2026-05-08T15:00:00Z', true],
])('a round %s is over: %s', (_, now, isOver) => {
  const round = { due_at: new Date('2026-05-07T15:00:00Z'), week_start: '2026-05-11' }
  expect(isRoundOver(round, new Date(now), timezone)).toBe(isOver)
})

it.each([
  ['a minute before its week', '2026-05-10T21:59:00Z', false],
  ['at the beginning of its week', '2026-05-10T22:00:00Z', true],
])('a round of Sunday evening %s is over: %s', (_, now, isOver) => {
  const round = { due_at: new Date('2026-05-10T18:00:00Z'), week_start: '2026-05-11' }
  expect(isRoundOver(round, new Date(now), timezone)).toBe(isOver)
})
