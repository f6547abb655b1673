import { describe, expect, it } from 'vitest'
import { progressOf } from './progress.ts'

const had = (lesson_type_id: string, end: string, status = 'completed') => ({
  lesson_type_id,
  start_at: '2026-03-02 10:00',
  end_at: `2026-03-02 ${end}`,
  status,
})
const motorway = { lesson_type_id: 'motorway', required_units: 4 }

describe('progress', () => {
  it('has a line for what is required, and then for what else was had or is planned', () => {
    const appointments = [had('practice', '10:45'), had('night', '11:30', 'planned')]
    expect(progressOf(appointments, [motorway], 45)).toEqual([
      { lesson_type_id: 'motorway', done_units: 0, planned_units: 0, required_units: 4 },
      { lesson_type_id: 'practice', done_units: 1, planned_units: 0, required_units: undefined },
      { lesson_type_id: 'night', done_units: 0, planned_units: 2, required_units: undefined },
    ])
  })

  it('adds up minutes before it makes units of them', () => {
    const appointments = [had('motorway', '10:15'), had('motorway', '10:15'), had('motorway', '10:15')]
    expect(progressOf(appointments, [motorway], 45)).toMatchObject([{ done_units: 1 }])
    expect(progressOf(appointments, [motorway], 60)).toMatchObject([{ done_units: 0.75 }])
  })

  it.each(['no_show', 'cancelled'])('leaves out what is %s', (status) => {
    expect(progressOf([had('practice', '10:45', status)], [], 45)).toEqual([])
    const [line] = progressOf([had('motorway', '10:45', status)], [motorway], 45)
    expect(line).toMatchObject({ done_units: 0, planned_units: 0 })
  })
})
