import { describe, expect, it } from 'vitest'
import type { Training } from './progress.ts'
import { type ComingClass, type OwnClass, topicStatesOf } from './topics.ts'

const UNITS = 45
const topic = (number: number, license_classes: readonly string[] = []) => ({
  lesson_type_id: license_classes.length > 0 ? 'specific' : 'basic',
  license_classes,
  topic: `Thema ${number}`,
  name: null,
})

const requirement = (lesson_type_id: string, required_units: number) => ({
  lesson_type_id,
  requirement_key: null,
  required_units,
  min_one_block_units: null,
  is_theory: true,
})

const trainingOf = (part: Partial<Training> = {}): Training => ({
  template_id: 'template',
  license_class: 'B',
  requirements: [requirement('basic', 6)],
  lessons: [],
  opening: [],
  ...part,
})

const own = (number: number, status: string, day: string): OwnClass => ({
  lesson_type_id: 'basic',
  topic: `Thema ${number}`,
  status,
  start_at: `2027-03-${day} 18:30`,
})

const coming = (number: number, day: string): ComingClass => ({
  appointment_id: `class of ${day}`,
  lesson_type_id: 'basic',
  topic: `Thema ${number}`,
  start_at: `2027-03-${day} 18:30`,
})

const statesOf = (theory: Partial<Parameters<typeof topicStatesOf>[0]>) =>
  topicStatesOf({
    topics: [1, 2, 3].map((number) => topic(number)),
    training: trainingOf(),
    own: [],
    coming: [],
    unit_minutes: UNITS,
    ...theory,
  }).map(({ topic, state, start_at, next }) => [
    topic,
    state,
    start_at?.slice(8, 10),
    next?.start_at.slice(8, 10),
  ])

describe('the topics of a student', () => {
  it('are attended, planned, or missing with the next class', () => {
    const classes = [own(1, 'completed', '02'), own(2, 'planned', '09'), own(3, 'missed', '04')]
    expect(statesOf({ own: classes, coming: [coming(2, '05'), coming(3, '11'), coming(3, '18')] })).toEqual([
      ['Thema 1', 'attended', '02', undefined],
      ['Thema 2', 'planned', '09', undefined],
      ['Thema 3', 'missing', undefined, '11'],
    ])
  })

  it('stay attended if they are planned again', () => {
    const classes = [own(1, 'planned', '02'), own(1, 'completed', '09')]
    expect(statesOf({ own: classes })[0]).toEqual(['Thema 1', 'attended', '09', undefined])
  })

  it('are no longer missing once the requirement is met', () => {
    const opening = [
      {
        lesson_type_id: 'basic',
        requirement_key: null,
        license_class: null,
        status: 'opening',
        units: 6,
        minutes: 0,
        count: 1,
      },
    ]
    const training = trainingOf({ opening })
    expect(statesOf({ training, own: [own(1, 'completed', '02')] })).toEqual([
      ['Thema 1', 'attended', '02', undefined],
    ])
  })

  it('are those of the license class', () => {
    const topics = [topic(1, ['A', 'A1']), topic(2, ['B'])]
    const requirements = [requirement('specific', 4)]
    const found = (license_class: string | null) =>
      statesOf({ topics, training: trainingOf({ requirements, license_class }) }).map(([name]) => name)
    expect([found('A1'), found('B'), found('C'), found(null)]).toEqual([['Thema 1'], ['Thema 2'], [], []])
  })

  it('are empty if the class has no requirement for them', () => {
    expect(statesOf({ training: trainingOf({ requirements: [] }) })).toEqual([])
  })
})
