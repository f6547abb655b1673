import { describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { NOW } from '../support/cancellation-office.ts'
import { useActingStudent } from '../support/use-acting-student.ts'

const service = useService()
const acting = useActingStudent(service)

describe('a confirmation', () => {
  it('is reset when the student is deleted, and not kept after the restoration', async () => {
    const { school } = acting().office
    await (await acting().verified()).submit(acting().lesson.id, 'confirm')
    const { student_id, confirmed_at } = await acting().stored()
    expect(confirmed_at).toBe(NOW.toISOString())
    await school.client.delete(`/students/${student_id}`)
    expect(await acting().stored()).toMatchObject({ status: 'cancelled', confirmed_at: null })
    await school.client.post(`/students/${student_id}/restore`)
    expect(await acting().stored()).toMatchObject({ status: 'planned', confirmed_at: null })
  })

  it('is reset when the series is cancelled, and restored by an undo', async () => {
    const { school } = acting().office
    const { instructor_id, student_id, lesson_type_id } = await acting().stored()
    const times = { start_at: '2030-05-08 10:00', end_at: '2030-05-08 11:30' }
    const appointment = { instructor_id, student_id, lesson_type_id, ...times }
    const repeat = { every_weeks: 1, count: 2 }
    const { body } = await school.client.post('/appointments/series', { appointment, repeat })
    const [{ id, series_id }] = body.booked
    const one = async () => (await school.client.get(`/appointments/${id}`)).body
    await (await acting().verified()).submit(id, 'confirm')
    const { confirmed_at } = await one()
    expect(confirmed_at).toBe(NOW.toISOString())
    await school.client.post(`/appointments/series/${series_id}/cancel`, { from: '2030-05-08' })
    expect(await one()).toMatchObject({ status: 'cancelled', confirmed_at: null })
    const [{ set_id }] = (await school.client.get(`/appointments/${id}/history`)).body
    await school.client.post(`/changes/sets/${set_id}/undo`)
    expect(await one()).toMatchObject({ status: 'planned', confirmed_at })
  })
})
