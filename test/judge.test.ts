import { describe, expect, it } from 'vitest'
import { falsified, sayingThat } from './faults/falsified.ts'
import { type Found, faultsIn } from './faults/judge.ts'
import { type Expected, nothingExpected } from './faults/workload.ts'

const people = { instructor_id: 'anna', student_id: 'lena' }
const first = { ...people, start_at: '2031-03-03 08:00', end_at: '2031-03-03 08:45' }
const second = { ...people, start_at: '2031-03-03 08:45', end_at: '2031-03-03 09:30' }
const lost = { ...people, start_at: '2031-03-04 08:00', end_at: '2031-03-04 08:45' }
const deleted = { ...people, start_at: '2031-03-05 08:00', end_at: '2031-03-05 08:45' }

/** Two lessons, one of them moved without a response, and a deleted one. */
const known: Expected = {
  ...nothingExpected(),
  lessons: new Map([
    ['1', [first]],
    ['2', [lost, second]],
    ['3', [undefined]],
  ]),
}
const lessons = [
  { id: '1', ...first },
  { id: '2', ...second },
]
const sound: Found = {
  listed: lessons,
  stored: lessons,
  doctor: '',
  log: '{"msg":"request"}\n',
  secrets: ['a secret'],
}
const withRow = (row: Found['stored'][number]): Found => ({
  ...sound,
  listed: [...lessons, row],
  stored: [...lessons, row],
})

describe('the judge of faults', () => {
  it('accepts a correct state, whether or not a request without a response was carried out', () => {
    expect(faultsIn(known, sound)).toEqual([])
    const unmoved = [
      { id: '1', ...first },
      { id: '2', ...lost },
    ]
    expect(faultsIn(known, { ...sound, listed: unmoved, stored: unmoved })).toEqual([])
  })

  it.each(falsified(known, sound))('reports as $number that $what', ({ number, found }) => {
    expect(faultsIn(known, found)).toContainEqual(sayingThat(number))
  })

  it('reports a deleted lesson that reappears, an unknown lesson and an unexpected response', () => {
    expect(faultsIn(known, withRow({ id: '3', ...deleted }))).toEqual([expect.stringMatching(/^I11: 3 /)])
    expect(faultsIn(known, withRow({ id: '4', ...lost }))).toEqual([expect.stringMatching(/^I12: 4 /)])
    expect(faultsIn({ ...known, strange: ['500'] }, sound)).toEqual([expect.stringMatching(/^I14: /)])
  })
})
