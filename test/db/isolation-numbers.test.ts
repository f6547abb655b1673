import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { diceOf } from '../concurrency/dice.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aNumberedSchool } from '../support/numbered-school.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()
const PERIOD = 'from=2026-01-01&to=2026-12-31'
const NAMES = ['use', 'free', 'by_type', 'missed', 'to_test', 'passed', 'no_lesson', 'special_owed', 'ready']

it('numbers and their rows ignore everything of twin schools', async () => {
  const { school } = await aNumberedSchool(service(), diceOf(7))
  const { db } = service()
  // Tests that were not for one training count by their class.
  await sql`update appointments set license_class = (
      select min(template.license_class) from enrolments enrolment join license_class_templates template
        on template.tenant_id = ${school.tenantId} and template.id = enrolment.template_id
      where enrolment.tenant_id = ${school.tenantId} and enrolment.student_id = appointments.student_id)
    where tenant_id = ${school.tenantId} and exam_result is not null`.execute(db)
  const read = async () => {
    const numbers = must(200, await school.client.get(`/numbers?${PERIOD}`))
    const rows: Record<string, unknown> = {}
    for (const name of NAMES) {
      rows[name] = must(200, await school.client.get(`/numbers/${name}?${PERIOD}`))
      rows[`${name}.csv`] = (await school.client.get(`/numbers/${name}.csv?${PERIOD}`)).text
    }
    return { numbers, rows }
  }
  const before = await read()
  expect(before.numbers.by_type.length).toBeGreaterThan(0)
  expect(before.numbers.passed.length).toBeGreaterThan(0)
  for (const side of ['00000000', 'ffffffff'] as const) {
    const twin = await plantTwin(service(), school.tenantId, 'Vogt', side)
    // The twin's students are neither deleted nor moved in, and its types are other kinds.
    await sql`update students set deleted_at = null, opening_balance = '[]', restriction = '{}' where tenant_id = ${twin}`.execute(
      db,
    )
    await sql`update lesson_types set category = 'practical_exam', requirement_key = 'OTHER' where tenant_id = ${twin}`.execute(
      db,
    )
    await sql`update license_class_templates set code = 'OTHER' || code where tenant_id = ${twin}`.execute(db)
  }
  expect(await read()).toEqual(before)
}, 120_000)
