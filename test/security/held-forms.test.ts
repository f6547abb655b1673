import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { START } from '../support/cancellation-office.ts'
import { formOf } from '../support/student-browser.ts'
import { type ActingStudent, useActingStudent } from '../support/use-acting-student.ts'

const service = useService()
const acting = useActingStudent(service)

/** Ways in which a student's page ends or loses a permission while the body of a form is being sent. */
const ENDINGS: Readonly<Record<string, (acting: ActingStudent) => Promise<unknown>>> = {
  'its link was deleted': ({ office: { school, student } }) =>
    school.client.delete(`/students/${student.id}/link`),
  'its link was replaced': ({ office: { school, student } }) =>
    school.client.post(`/students/${student.id}/link`),
  'the school no longer allows it': async (one) => {
    await one.allow({ confirm: false, cancel: false, wish: false, proof: 'birth_date' })
    await one.allowMoves(false)
  },
}

it.each(Object.keys(ENDINGS).flatMap((ending) => ['confirm', 'cancel', 'move'].map((act) => [ending, act])))(
  'when %s, a form to %s whose body arrives late gets 404 and changes nothing (S22)',
  async (ending = '', act = '') => {
    await acting().allowMoves(true)
    const browser = await acting().verified()
    const { id } = acting().lesson
    const form = formOf(await browser.look(id), act === 'move' ? 'cancel' : act)
    const held = await browser.hold(id, { ...form, act, start_at: '2030-05-07 08:00' })
    await ENDINGS[ending]?.(acting())
    expect((await held.letGo()).status).toBe(404)
    const untouched = { start_at: START, status: 'planned', confirmed_at: null, version: 1 }
    expect(await acting().stored()).toMatchObject(untouched)
  },
)

it('a form whose body arrives late succeeds while the link is valid', async () => {
  const browser = await acting().verified()
  const { id } = acting().lesson
  const held = await browser.hold(id, formOf(await browser.look(id), 'confirm'))
  expect((await held.letGo()).status).toBe(303)
  expect((await acting().stored()).confirmed_at).not.toBeNull()
})
