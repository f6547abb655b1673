import { expect, it } from 'vitest'
import { usePatientService } from '../support/app.ts'
import { formOf } from '../support/student-browser.ts'
import { useActingStudent } from '../support/use-acting-student.ts'

const service = usePatientService()
const acting = useActingStudent(service)

it('a student never cancels a concurrently moved lesson without having seen the move', async () => {
  for (let round = 0; round < 4; round += 1) {
    await acting().allow({ proof: 'none' })
    const { id } = await acting().office.lessonAt(`2030-05-${10 + round} 08:00`)
    const browser = await acting().opened()
    const form = formOf(await browser.look(id), 'cancel')
    const times = { start_at: `2030-05-${10 + round} 10:00`, end_at: `2030-05-${10 + round} 11:30` }
    const [pressed, moved] = await Promise.all([
      browser.press(id, form),
      acting().office.school.client.patch(`/appointments/${id}`, times),
    ])
    expect(moved.status).toBe(200)
    const history = (await acting().office.school.client.get(`/appointments/${id}/history`)).body
    const byStudent = history.filter(({ actor }: { actor: { kind: string } }) => actor.kind === 'student')
    expect(byStudent.map(({ before }: { before: { version: number } }) => before.version)).toEqual(
      pressed.status === 303 ? [1] : [],
    )
    expect([303, 409]).toContain(pressed.status)
    expect(await acting().office.read(id)).toMatchObject({
      status: pressed.status === 303 ? 'cancelled' : 'planned',
      ...times,
    })
  }
})
