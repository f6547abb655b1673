import { describe, expect, it } from 'vitest'
import type { GridEvent } from './grid-event.ts'
import { movedTo, previewOf } from './pointer-places.ts'

const DAY = '2032-03-01'
const NEXT_DAY = '2032-03-02'
const DAY_VIEW = ['anna', 'ben'].map((resource) => ({ resource, date: DAY }))
const WEEK_VIEW = [DAY, NEXT_DAY].map((date) => ({ resource: 'anna', date }))

const LESSON: GridEvent = {
  id: 'lesson',
  resources: ['anna'],
  start_at: `${DAY} 10:07`,
  end_at: `${DAY} 11:37`,
  className: '',
  isMovable: true,
  content: { kind: 'slot', text: { time: '', student: '' } },
}

type Kind = Parameters<typeof movedTo>[0]['kind']

/** Returns where an event of Anna's from 10:07 goes if it is taken at 10:00. */
function moved(kind: Kind, [index, minute]: [0 | 1, number], { end = '11:37', columns = DAY_VIEW } = {}) {
  const [origin, column] = [columns[0], columns[index]]
  if (!origin || !column) throw new Error('no column')
  const event = { ...LESSON, end_at: `${DAY} ${end}` }
  return movedTo({ kind, event, origin: { column: origin, minute: 600 } }, { column, minute })
}

describe('movedTo', () => {
  it('moves both times by the distance, also off the quarter hour', () => {
    expect(moved('move', [0, 645])).toEqual({ start_at: `${DAY} 10:52`, end_at: `${DAY} 12:22` })
  })

  it('names the resource only if it is another', () => {
    expect(moved('move', [1, 600])).toMatchObject({ start_at: `${DAY} 10:07`, resource: 'ben' })
    expect(moved('move', [1, 600], { columns: WEEK_VIEW })).toEqual({
      start_at: `${NEXT_DAY} 10:07`,
      end_at: `${NEXT_DAY} 11:37`,
    })
  })

  it('lengthens and shortens to a step at least, in any column', () => {
    expect(moved('resize', [1, 630])).toEqual({ start_at: `${DAY} 10:07`, end_at: `${DAY} 12:07` })
    expect(moved('resize', [0, 300])).toEqual({ start_at: `${DAY} 10:07`, end_at: `${DAY} 10:22` })
    expect(moved('resize', [0, 300], { end: '10:12' })).toMatchObject({ end_at: `${DAY} 10:12` })
  })

  it('draws down from the start of the first step, and up from its end', () => {
    const drawn = (minute: number) => moved('draw', [1, minute], { end: '10:22' })
    expect(drawn(645)).toEqual({ start_at: `${DAY} 10:07`, end_at: `${DAY} 11:07` })
    expect(drawn(570)).toEqual({ start_at: `${DAY} 09:37`, end_at: `${DAY} 10:22` })
  })
})

describe('previewOf', () => {
  it.each([
    ['another column', 'carla', ['carla', 'ben']],
    ['the column of its other vehicle', 'ben', ['anna', 'ben']],
    ['its own column', undefined, ['anna', 'ben']],
  ])('shows a lesson of two vehicles over %s', (_, resource, resources) => {
    const event: GridEvent = { ...LESSON, resources: ['anna', 'ben'] }
    const [column] = DAY_VIEW
    if (!column) throw new Error('no column')
    const taken = { kind: 'move', event, origin: { column, minute: 600 } } as const
    const to = { start_at: `${DAY} 11:00`, end_at: `${DAY} 12:30`, ...(resource && { resource }) }
    expect(previewOf(taken, to)).toMatchObject({ start_at: to.start_at, end_at: to.end_at, resources })
  })
})
