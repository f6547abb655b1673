import { describe, expect, it } from 'vitest'
import * as example from '../../contract/examples.ts'
import { nonOverlappingSlots } from './non-overlapping-slots.ts'
import { type SearchCriteria, slotsQueryFor } from './search-criteria.ts'

const slot = (instructor_id: string, start: string, end: string) => ({
  ...example.slot,
  instructor_id,
  start_at: `2026-05-04 ${start}`,
  end_at: `2026-05-04 ${end}`,
  overrides_used: [],
  warnings: [],
})

describe('non-overlapping slots', () => {
  it('keep their order and overlap no earlier one of the same instructor', () => {
    const [eight, quarter, nine] = [
      slot('one', '08:00', '09:00'),
      slot('one', '08:15', '09:15'),
      slot('one', '09:00', '10:00'),
    ]
    const other = slot('other', '08:15', '09:15')
    expect(nonOverlappingSlots([eight, quarter, other, nine])).toEqual([eight, other, nine])
    expect(nonOverlappingSlots([quarter, eight, nine])).toEqual([quarter])
    expect(nonOverlappingSlots([])).toEqual([])
  })
})

describe('the slot query', () => {
  const TODAY = '2026-05-04'
  const criteria: SearchCriteria = {
    from: TODAY,
    until: '',
    instructor_ids: [],
    weekdays: [],
    hours: 'anyTime',
    order: 'fit',
  }
  const sought = { student_id: null, lesson_type_id: 'drive', minutes: 90, vehicles: {} }

  it('omits criteria that are not given, and a start date of today', () => {
    expect(slotsQueryFor(sought, criteria, TODAY)).toEqual({
      lesson_type_id: 'drive',
      minutes: '90',
      order: 'fit',
    })
  })

  it('contains every given criterion', () => {
    const all: SearchCriteria = {
      from: '2026-05-05',
      until: '2026-06-30',
      instructor_ids: ['one', 'other'],
      weekdays: [5, 1],
      hours: 'afternoon',
      order: 'time',
    }
    expect(slotsQueryFor({ ...sought, id: 'lesson', student_id: 'lena' }, all, TODAY)).toEqual({
      lesson_type_id: 'drive',
      minutes: '90',
      order: 'time',
      student_id: 'lena',
      appointment_id: 'lesson',
      instructor_ids: ['one', 'other'],
      from: '2026-05-05',
      to: '2026-06-30',
      weekdays: '1,5',
      time_from: '12:00',
      time_to: '17:00',
    })
  })

  it.each<[string | undefined, object]>([
    [undefined, { vehicle: 'usual', vehicle_ids: ['trailer'] }],
    ['any', { vehicle: 'any' }],
    ['golf', { vehicle_ids: ['golf'] }],
  ])('has the vehicles of the lesson unless others are chosen: %s', (vehicle, expected) => {
    const vehicles = { vehicle: 'usual', vehicle_ids: ['trailer'] } as const
    const query = slotsQueryFor({ ...sought, vehicles }, { ...criteria, vehicle }, TODAY)
    expect(query).toEqual({ lesson_type_id: 'drive', minutes: '90', order: 'fit', ...expected })
  })

  it.each([
    [{ minutes: 0 }, false],
    [{ minutes: 1 }, true],
    [{ minutes: 1440 }, true],
    [{ minutes: 1441 }, false],
    [{ lesson_type_id: '' }, false],
  ])('exists for %j: %s', (part, isAnything) => {
    expect(slotsQueryFor({ ...sought, ...part }, criteria, TODAY) !== undefined).toBe(isAnything)
  })

  it('omits a start date in the past', () => {
    expect(slotsQueryFor(sought, { ...criteria, from: '2026-05-03' }, TODAY)).not.toHaveProperty('from')
  })

  it.each([
    ['', undefined],
    ['2026-05-03', undefined],
    ['2026-05-04', '2026-05-04'],
    ['2026-08-03', '2026-08-03'],
    ['2026-08-04', undefined],
    ['2026-02-30', undefined],
  ])('accepts the end date “%s” only within the search range: %s', (until, to) => {
    expect(slotsQueryFor(sought, { ...criteria, until }, TODAY)?.to).toBe(to)
  })

  it.each(['', '2026-13-01'])('is undefined for the start date “%s”', (from) => {
    expect(slotsQueryFor(sought, { ...criteria, from }, TODAY)).toBeUndefined()
  })
})
